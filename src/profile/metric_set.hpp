#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/metric.hpp"
#include "profile/metric_catalog.hpp"
#include "profile/metric_host.hpp"

namespace gtune {

/// Metrics that are scheduled together, so they share passes.
struct MetricGroup {
  std::vector<std::string> names;    // as the user knows them
  std::vector<std::string> metrics;  // CUPTI's
  std::vector<std::string> units;
  std::unique_ptr<MetricHost> host;
  std::vector<std::uint8_t> config;  // tells the device what to count
};

/// Requested metrics, ready to be measured repeatedly, in as few groups as the chip allows.
struct MetricSet {
  std::vector<MetricGroup> groups;
  std::vector<Metric> refused;  // those that the device does not have, with the reason
};

/// `availability`: as for MetricHost.
[[nodiscard]] MetricSet schedule_metrics(const CuptiLibrary& cupti, const MetricCatalog& catalog,
                                         const std::vector<std::string>& names,
                                         const std::vector<std::uint8_t>& availability);

}  // namespace gtune
