#include "report/throughput.hpp"

#include <fmt/format.h>

namespace gtune {

Throughput throughput(double median_ms, std::optional<double> flops, std::optional<double> bytes,
                      const DeviceFacts& device) {
  Throughput result;
  const double seconds = median_ms * 1e-3;
  if (seconds <= 0) return result;
  if (flops) {
    result.gflops = *flops / seconds * 1e-9;
    if (device.fma_tflops) result.fma_share = *result.gflops / (*device.fma_tflops * 1e3);
  }
  if (bytes) {
    result.gbps = *bytes / seconds * 1e-9;
    if (device.dram_gbps) result.dram_share = *result.gbps / *device.dram_gbps;
  }
  return result;
}

std::string Throughput::text() const {
  const bool compute_binds = fma_share.value_or(0) >= dram_share.value_or(0);
  if (gflops && (compute_binds || !gbps)) {
    std::string text = *gflops >= 1000 ? fmt::format("{:.2f} TFLOP/s", *gflops / 1000)
                                       : fmt::format("{:.1f} GFLOP/s", *gflops);
    if (fma_share) text += fmt::format(", {:.1f} % of the FMA peak", *fma_share * 100);
    return text;
  }
  if (!gbps) return "";
  std::string text = fmt::format("{:.0f} GB/s", *gbps);
  if (dram_share) text += fmt::format(", {:.1f} % of the copy bandwidth", *dram_share * 100);
  return text;
}

}  // namespace gtune
