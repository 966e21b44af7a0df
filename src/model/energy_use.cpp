#include "model/energy_use.hpp"

#include <algorithm>

namespace gtune {
namespace {

std::optional<double> value_in(const std::vector<Metric>& metrics, std::string_view name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? std::nullopt : found->value;
}

}  // namespace

std::vector<std::string> energy_metric_names() {
  return {std::string(energy_metric), std::string(power_metric)};
}

bool is_energy_metric(std::string_view name) {
  return name == energy_metric || name == power_metric;
}

std::vector<Metric> energy_metrics(const EnergyUse& use) {
  std::vector<Metric> metrics = {{std::string(energy_metric), use.energy_mj, "mJ", ""},
                                 {std::string(power_metric), use.power_w, "W", ""}};
  if (use.updates > 0) {
    metrics.push_back(
        {std::string(energy_update_metric), use.seconds * 1000 / use.updates, "ms", ""});
  }
  return metrics;
}

std::vector<Metric> missing_energy_metrics(const std::string& reason) {
  std::vector<Metric> metrics;
  for (const std::string& name : energy_metric_names()) {
    metrics.push_back({name, std::nullopt, "", reason});
  }
  return metrics;
}

std::optional<EnergyUse> energy_use(const std::vector<Metric>& metrics) {
  const auto energy = value_in(metrics, energy_metric);
  const auto power = value_in(metrics, power_metric);
  if (!energy || !power || !(*energy > 0)) return std::nullopt;
  EnergyUse use;
  use.energy_mj = *energy;
  use.power_w = *power;
  return use;
}

}  // namespace gtune
