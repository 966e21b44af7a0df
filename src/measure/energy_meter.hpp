#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/energy_use.hpp"

namespace gtune {

/// Launches of one kernel that follow each other without a gap, on a device with a counter of its
/// energy.
class LaunchSeries {
 public:
  virtual ~LaunchSeries() = default;
  /// Queues launches so that the device stays busy, and waits for a fraction of a millisecond.
  /// Throws what a failed launch throws.
  virtual void go_on() = 0;
  /// Waits for all that is queued. Throws as go_on().
  virtual void finish() = 0;
  /// How many have finished.
  [[nodiscard]] virtual std::int64_t launches() const = 0;
  /// Absent if the counter cannot be read.
  [[nodiscard]] virtual std::optional<double> counter_mj() const = 0;
  /// The host's time since some moment.
  [[nodiscard]] virtual double now_s() const = 0;
};

struct EnergyOptions {
  /// Launches before, so that the power is steady. Longer than the 100 ms for which an H200's
  /// counter repeats the value of the last read.
  double lead_in_s = 0.15;
  double least_s = 0.5;  // shortest time to measure
};

/// A measured energy, or the reason why there is none.
struct EnergyReading {
  std::optional<EnergyUse> use;
  std::string reason;
};

/// Measures the energy of many launches between two reads of the counter, while the device waits.
[[nodiscard]] EnergyReading measure_energy(LaunchSeries& series, const EnergyOptions& options = {});

}  // namespace gtune
