#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/cupti_library.hpp"

namespace gtune {

/// CUPTI's facts about a metric on a chip.
struct MetricFacts {
  std::string metric;       // CUPTI's name, with its rollup: "dram__bytes.sum"
  std::string description;  // CUPTI's
  std::string unit;         // "percent", "byte", "byte/second"
  std::size_t passes = 0;   // replays if measured alone
};

/// The metrics of one kind of chip, known without a GPU.
class MetricCatalog {
 public:
  /// `chip`: "GH100". Throws UserError(usage), which lists the known chips, if it is not one.
  MetricCatalog(const CuptiLibrary& cupti, std::string chip);

  [[nodiscard]] static std::vector<std::string> chips(const CuptiLibrary& cupti);

  [[nodiscard]] const std::string& chip() const { return m_chip; }

  /// Every base metric with its most useful rollup: sums of counters, ratios, shares of peaks.
  [[nodiscard]] std::vector<std::string> metrics() const;

  /// Absent if the chip has no such metric. Not thread-safe.
  [[nodiscard]] const std::optional<MetricFacts>& find(const std::string& metric) const;

  /// CUPTI's name for a familiar name, or for one of CUPTI's own. Throws UserError(usage) if the
  /// chip has no such metric.
  [[nodiscard]] std::string resolve(std::string_view name) const;

  /// How many replays a set takes. Throws UserError(usage) if not all can be measured together.
  [[nodiscard]] std::size_t passes(const std::vector<std::string>& metrics) const;

 private:
  [[nodiscard]] std::optional<MetricFacts> ask(const std::string& metric) const;

  const CuptiLibrary& m_cupti;
  std::string m_chip;
  // CUPTI takes milliseconds for each, and a run asks for the same metrics again and again.
  mutable std::map<std::string, std::optional<MetricFacts>> m_found;
};

/// The chip whose metrics a device of a compute capability has: "GH100" for 90. Absent if unknown.
[[nodiscard]] std::optional<std::string> chip_of(int compute_capability);

}  // namespace gtune
