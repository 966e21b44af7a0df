#pragma once

#include <optional>
#include <string>

#include "tune/problem_state.hpp"

namespace gtune {

/// How a configuration did on the spec's awkward sizes: primes, one, a tile and one more.
struct AwkwardResult {
  bool performed = false;              // false: a recording that does not hold it
  std::optional<std::string> failure;  // one line with the size it failed on
};

/// Checks one configuration on every awkward size on which it is valid. Leaves the worker with
/// another problem open than the run's.
[[nodiscard]] AwkwardResult check_awkward(ProblemState& state, const Config& config);

}  // namespace gtune
