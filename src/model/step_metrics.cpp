#include "model/step_metrics.hpp"

namespace gtune {
namespace {

constexpr std::string_view k_prefix = "step_time:";

}  // namespace

std::vector<Metric> step_metrics(const std::vector<StepTime>& times) {
  std::vector<Metric> metrics;
  for (const StepTime& step : times) {
    metrics.push_back({std::string(k_prefix) + step.name, step.ms, "ms", ""});
  }
  return metrics;
}

bool is_step_metric(std::string_view name) { return name.starts_with(k_prefix); }

bool is_step_metric(const Metric& metric) { return is_step_metric(metric.name); }

std::vector<StepTime> step_times(const std::vector<Metric>& metrics) {
  std::vector<StepTime> times;
  for (const Metric& metric : metrics) {
    if (!is_step_metric(metric) || !metric.value) continue;
    times.push_back({metric.name.substr(k_prefix.size()), *metric.value});
  }
  return times;
}

}  // namespace gtune
