#pragma once

#include <optional>
#include <string>

#include "model/device_facts.hpp"

namespace gtune {

/// A kernel's speed in the units of its work, and as a share of each of the device's limits. The
/// limit with the higher share is the one that binds.
struct Throughput {
  std::optional<double> gflops;      // 1e9 floating-point operations per second
  std::optional<double> gbps;        // 1e9 bytes per second
  std::optional<double> fma_share;   // of the measured FP32 FMA peak, 0..1
  std::optional<double> dram_share;  // of the measured copy bandwidth, 0..1

  /// "50.31 TFLOP/s, 75.0 % of the limit of FMA units", "3780 GB/s, ..."; empty if nothing is
  /// known.
  [[nodiscard]] std::string text() const;
};

/// For rates that are already known, in GFLOP/s and GB/s.
[[nodiscard]] Throughput throughput_of_rates(std::optional<double> gflops,
                                             std::optional<double> gbps, const DeviceFacts& device);

/// `flops`, `bytes`: the work of one launch.
[[nodiscard]] Throughput throughput(double median_ms, std::optional<double> flops,
                                    std::optional<double> bytes, const DeviceFacts& device);

}  // namespace gtune
