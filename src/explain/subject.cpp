#include "explain/subject.hpp"

#include <algorithm>

namespace gtune {
namespace {

const Metric* find_metric(const std::vector<Metric>& metrics, std::string_view name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const Metric& each) {
    return each.name == name && each.value;
  });
  return found == metrics.end() ? nullptr : &*found;
}

}  // namespace

std::optional<double> Subject::metric(std::string_view metric_name) const {
  const Metric* found = find_metric(metrics, metric_name);
  return found == nullptr ? std::nullopt : found->value;
}

std::optional<double> Subject::share(std::string_view metric_name) const {
  const auto percent = metric(metric_name);
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

Evidence Subject::evidence(std::string_view metric_name) const {
  const Metric* found = find_metric(metrics, metric_name);
  return {found->name, found->value.value(), found->unit};
}

std::optional<double> Subject::sm_cycles() const {
  const double mhz = measured.timing->sm_clock_mhz.value_or(device.max_sm_clock_mhz);
  if (mhz <= 0 || device.sm_count <= 0) return std::nullopt;
  return measured.timing->median_ms * mhz * 1e3 * device.sm_count;
}

}  // namespace gtune
