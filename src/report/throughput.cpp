#include "report/throughput.hpp"

#include <fmt/format.h>

namespace gtune {

Throughput throughput_of_rates(std::optional<double> gflops, std::optional<double> gbps,
                               const DeviceFacts& device) {
  Throughput result;
  result.gflops = gflops;
  result.gbps = gbps;
  if (gflops && device.fma_tflops) result.fma_share = *gflops / (*device.fma_tflops * 1e3);
  if (gbps && device.dram_gbps) result.dram_share = *gbps / *device.dram_gbps;
  return result;
}

Throughput throughput(double median_ms, std::optional<double> flops, std::optional<double> bytes,
                      const DeviceFacts& device) {
  const double seconds = median_ms * 1e-3;
  if (seconds <= 0) return {};
  const auto rate = [&](std::optional<double> work) {
    return work ? std::optional(*work / seconds * 1e-9) : std::nullopt;
  };
  return throughput_of_rates(rate(flops), rate(bytes), device);
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
