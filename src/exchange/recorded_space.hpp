#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/checked_json.hpp"
#include "model/device_facts.hpp"
#include "model/metric.hpp"
#include "model/named_values.hpp"
#include "space/search_space.hpp"

namespace gtune {

/// What a recording of gtune is of.
struct RecordedProblem {
  std::string kernel;
  Problem problem;
  DeviceFacts device;
};

/// A space with a recorded outcome for every configuration.
struct RecordedSpace {
  std::string name;
  SearchSpace space;
  std::vector<std::optional<double>> costs_ms;  // by index; absent if it failed
  std::vector<double> evaluation_ms;            // by index: the time that trying it took
  std::vector<std::vector<Metric>> metrics;     // by index; empty if none were recorded
  double optimum_ms = 0;
  std::optional<RecordedProblem> of;  // absent: the file does not say
  ConfigAmounts amounts;              // for strategies; a file has none
};

/// A configuration as a file holds it: numbers, words, booleans.
struct RecordedRow {
  std::vector<nlohmann::json> values;
  std::optional<double> cost_ms;
  double evaluation_ms = 0;
  std::vector<Metric> metrics;
};

/// Sorts the values of each parameter in ascending order and numbers them: words become 0, 1, 2,
/// ... and fractions their ranks. Of repeated configurations, the first counts. Throws
/// std::invalid_argument if rows differ in width or no configuration has a time.
[[nodiscard]] RecordedSpace make_recorded_space(std::string name,
                                                const std::vector<std::string>& parameters,
                                                const std::vector<RecordedRow>& rows);

}  // namespace gtune
