#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/metric.hpp"

// The energy of a measured kernel, stored as metrics beside the hardware's.
namespace gtune {

struct EnergyUse {
  double energy_mj = 0;       // of one launch
  double power_w = 0;         // of the whole board, mean over the series of launches
  std::int64_t launches = 0;  // of the series; 0: not known, as in a recording
  double seconds = 0;         // between the first and the last update of the counter that counts
  int updates = 0;            // of the counter, in that time
};

inline constexpr std::string_view energy_metric = "energy_mj";
inline constexpr std::string_view power_metric = "power_w";
/// The mean time between two updates of the counter, as seen: the resolution of the measurement.
inline constexpr std::string_view energy_update_metric = "energy_update_ms";

/// gtune's own metrics, which are never CUPTI's: the energy and the power.
[[nodiscard]] std::vector<std::string> energy_metric_names();
[[nodiscard]] bool is_energy_metric(std::string_view name);

[[nodiscard]] std::vector<Metric> energy_metrics(const EnergyUse& use);
/// The same metrics without values. `reason`: why; one line.
[[nodiscard]] std::vector<Metric> missing_energy_metrics(const std::string& reason);
/// Absent if energy or power is missing or no energy above 0. The series is not stored, except for
/// its updates.
[[nodiscard]] std::optional<EnergyUse> energy_use(const std::vector<Metric>& metrics);

}  // namespace gtune
