#pragma once

#include <memory>
#include <optional>
#include <string>

namespace gtune {

/// The driver's version, such as "580.159.04"; absent if NVML cannot be opened.
[[nodiscard]] std::optional<std::string> nvml_driver_version();

/// Reads a device's SM clock through NVML, which comes with the driver and is opened at run time.
/// Without NVML, the clock is unknown.
class ClockMonitor {
 public:
  /// `uuid`: "GPU-...".
  explicit ClockMonitor(const std::string& uuid);
  ~ClockMonitor();
  ClockMonitor(const ClockMonitor&) = delete;
  ClockMonitor& operator=(const ClockMonitor&) = delete;

  /// The current SM clock in MHz; absent if unknown.
  [[nodiscard]] std::optional<double> sm_clock_mhz() const;

 private:
  struct Handle;
  std::unique_ptr<Handle> m_handle;
};

}  // namespace gtune
