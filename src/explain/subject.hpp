#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/finding.hpp"
#include "explain/static_facts.hpp"
#include "model/device_facts.hpp"
#include "model/measurement.hpp"
#include "model/metric.hpp"

namespace gtune {

/// A measurement and everything that the rules for findings use.
struct Subject {
  std::string name;  // "best", "naive", "BM=64,..."
  DeviceFacts device;
  Measurement measured;  // a correct one
  StaticFacts facts;
  std::vector<Metric> metrics;

  /// Absent if the metric is not stored or has no value.
  [[nodiscard]] std::optional<double> metric(std::string_view metric_name) const;
  /// A metric in percent as a share: 0..1.
  [[nodiscard]] std::optional<double> share(std::string_view metric_name) const;
  /// The metric as evidence. It must have a value.
  [[nodiscard]] Evidence evidence(std::string_view metric_name) const;
  /// Clock cycles of all SMs together during the kernel; absent if the clock is unknown.
  [[nodiscard]] std::optional<double> sm_cycles() const;
};

}  // namespace gtune
