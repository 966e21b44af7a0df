#pragma once

#include <string>
#include <vector>

#include "profile/metric_catalog.hpp"
#include "report/document.hpp"

namespace gtune {

/// A metric that can be asked for.
struct OfferedMetric {
  std::string name;  // as the user may write it
  std::string help;  // empty: CUPTI's description
  MetricFacts facts;
};

[[nodiscard]] Document metrics_report(const std::string& chip,
                                      const std::vector<OfferedMetric>& metrics);

}  // namespace gtune
