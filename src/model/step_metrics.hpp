#pragma once

#include <string_view>
#include <vector>

#include "model/measurement.hpp"
#include "model/metric.hpp"

// The times of a measurement's steps, stored as metrics: "step_time:NAME" in ms.
namespace gtune {

[[nodiscard]] std::vector<Metric> step_metrics(const std::vector<StepTime>& times);

[[nodiscard]] bool is_step_metric(const Metric& metric);
[[nodiscard]] bool is_step_metric(std::string_view name);

/// In the order of the metrics, without metrics that have no value.
[[nodiscard]] std::vector<StepTime> step_times(const std::vector<Metric>& metrics);

}  // namespace gtune
