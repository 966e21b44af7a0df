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

/// A measurement with all that is known of it, as the rules of findings see it.
struct Subject {
  std::string name;  // "best", "naive", "BM=64,..."
  DeviceFacts device;
  Measurement measured;  // right
  StaticFacts facts;
  std::vector<Metric> metrics;

  /// Absent where it is not stored, or without a value.
  [[nodiscard]] std::optional<double> metric(std::string_view metric_name) const;
  /// Of a metric in percent: 0..1.
  [[nodiscard]] std::optional<double> share(std::string_view metric_name) const;
  /// The metric as evidence. It has a value.
  [[nodiscard]] Evidence evidence(std::string_view metric_name) const;
  /// Clock cycles of all SMs together during the kernel; absent where no clock is known.
  [[nodiscard]] std::optional<double> sm_cycles() const;
};

}  // namespace gtune
