#pragma once

#include <optional>
#include <string>

namespace gtune {

/// Reads the energy that a device has used since the driver was loaded, through NVML. It is that of
/// the whole board: all units and memory, and every process.
class EnergyCounter {
 public:
  /// `uuid`: "GPU-...".
  explicit EnergyCounter(const std::string& uuid);

  /// In millijoules. Changes now and then: on an H200 every 100 ms.
  /// Absent without NVML, or if the device has no such counter.
  [[nodiscard]] std::optional<double> total_mj() const;

 private:
  void* m_device = nullptr;  // NVML's handle; null: none
};

}  // namespace gtune
