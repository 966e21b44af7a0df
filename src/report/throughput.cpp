#include "report/throughput.hpp"

#include <fmt/format.h>

#include "report/quantity.hpp"

namespace gtune {

Throughput throughput_of_rates(std::optional<double> gflops, std::optional<double> gbps,
                               const DeviceFacts& device) {
  Throughput result;
  result.gflops = gflops;
  result.gbps = gbps;
  const DeviceLimits& limits = device.limits;
  if (gflops && limits.fma_tflops) result.fma_share = *gflops / (*limits.fma_tflops * 1e3);
  if (gbps && limits.dram_gbps) result.dram_share = *gbps / *limits.dram_gbps;
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

namespace {

constexpr int small_digits = 2;  // of a rate that needs a smaller unit

/// A share that rounds to 0.0 % says nothing and is left out.
std::string share_text(std::optional<double> share, const char* of) {
  return share.value_or(0) < 0.0005 ? "" : fmt::format(", {:.1f} % of {}", *share * 100, of);
}

}  // namespace

std::string Throughput::text() const {
  const bool compute_binds = fma_share.value_or(0) >= dram_share.value_or(0);
  if (gflops && (compute_binds || !gbps)) {
    const std::string text = *gflops >= 1000 ? fmt::format("{:.2f} TFLOP/s", *gflops / 1000)
                             : *gflops >= 10 ? fmt::format("{:.1f} GFLOP/s", *gflops)
                                             : quantity_text(*gflops, "GFLOP/s", small_digits);
    return text + share_text(fma_share, "the limit of FMA units");
  }
  if (!gbps) return "";
  const std::string text =
      *gbps >= 10 ? fmt::format("{:.0f} GB/s", *gbps) : quantity_text(*gbps, "GB/s", small_digits);
  return text + share_text(dram_share, "the limit of device memory");
}

}  // namespace gtune
