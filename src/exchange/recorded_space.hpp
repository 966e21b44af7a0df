#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/checked_json.hpp"
#include "model/metric.hpp"
#include "space/search_space.hpp"

namespace gtune {

/// A space of which every configuration has been measured.
struct RecordedSpace {
  std::string name;
  SearchSpace space;
  std::vector<std::optional<double>> costs_ms;  // by index; absent where it failed
  std::vector<double> evaluation_ms;            // by index: what trying it took
  std::vector<std::vector<Metric>> metrics;     // by index: empty where none was recorded
  double optimum_ms = 0;
};

/// A configuration as a file has it: numbers, words, truth values.
struct RecordedRow {
  std::vector<nlohmann::json> values;
  std::optional<double> cost_ms;
  double evaluation_ms = 0;
  std::vector<Metric> metrics;
};

/// Values of a parameter are put in ascending order; words become variants 0, 1, 2, ... and
/// fractions their ranks. Of repeated configurations the first counts. Throws
/// std::invalid_argument where rows differ in width or no configuration ran.
[[nodiscard]] RecordedSpace make_recorded_space(std::string name,
                                                const std::vector<std::string>& parameters,
                                                const std::vector<RecordedRow>& rows);

}  // namespace gtune
