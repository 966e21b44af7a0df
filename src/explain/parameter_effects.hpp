#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "store/records.hpp"

namespace gtune {

/// The cost of fixing a parameter to one value: the time of the best configuration with it, divided
/// by the best time overall, minus one. 0.03 is 3 % slower.
struct ValueEffect {
  std::int64_t value = 0;
  double cost = 0;
  std::size_t problems = 1;        // the number of problems in which it was measured
  std::size_t configurations = 1;  // with it, of all these problems
};

struct ParameterEffect {
  std::string name;
  std::vector<ValueEffect> values;  // the cheapest first
};

/// Two values that cost much more together than the more expensive one alone.
struct Interaction {
  std::string first;
  std::int64_t first_value = 0;
  std::string second;
  std::int64_t second_value = 0;
  double cost = 0;
  double alone = 0;  // of the more expensive one
};

/// Effects found in the measurements of one device and problem.
struct ProblemEffects {
  std::string device;
  bool replayed = false;
  Problem problem;
  std::size_t configurations = 0;
  ConfigSpeed best;
  std::vector<ParameterEffect> parameters;  // by their most expensive value, highest first
  std::vector<Interaction> interactions;    // a few, the most expensive first
};

/// The effects for each device name, problem and timing mode. Of several measurements of a
/// configuration on a GPU, the last counts; of several GPUs, the fastest.
[[nodiscard]] std::vector<ProblemEffects> find_effects(const std::vector<ConfigSpeed>& speeds);

/// Combines several problems: the geometric mean of each value's cost.
[[nodiscard]] std::vector<ParameterEffect> combine(const std::vector<ProblemEffects>& problems);

}  // namespace gtune
