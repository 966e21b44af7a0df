#pragma once

#include <algorithm>
#include <array>
#include <optional>

namespace gtune {

/// Peak rates measured on a device; absent until measured, or if the device has no such unit. Rates
/// of memory count bytes read + written.
struct DeviceLimits {
  std::optional<double> fma_tflops = {};     // FP32 FMA from registers
  std::optional<double> tensor_tflops = {};  // dense TF32 products with FP32 sums on tensor cores
  std::optional<double> dram_gbps = {};      // copies within device memory
  std::optional<double> l2_gbps = {};        // loads that hit L2 and bypass L1
  std::optional<double> l1_gbps = {};        // loads that hit L1, of all SMs together

  [[nodiscard]] inline bool any() const;
};

/// A limit's name in JSON and in the database.
struct NamedLimit {
  const char* name;
  std::optional<double> DeviceLimits::*value;
};

inline constexpr std::array k_device_limits = {
    NamedLimit{"fma_tflops", &DeviceLimits::fma_tflops},
    NamedLimit{"tensor_tflops", &DeviceLimits::tensor_tflops},
    NamedLimit{"dram_gbps", &DeviceLimits::dram_gbps},
    NamedLimit{"l2_gbps", &DeviceLimits::l2_gbps}, NamedLimit{"l1_gbps", &DeviceLimits::l1_gbps}};

inline bool DeviceLimits::any() const {
  return std::any_of(k_device_limits.begin(), k_device_limits.end(),
                     [&](const NamedLimit& each) { return (this->*each.value).has_value(); });
}

}  // namespace gtune
