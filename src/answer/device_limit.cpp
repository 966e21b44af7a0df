#include "answer/device_limit.hpp"

#include <algorithm>
#include <optional>

#include "spec/evaluate.hpp"
#include "store/records.hpp"

namespace gtune {
namespace {

/// `limit` in units per ms. Absent rates are no reason to doubt it.
double least_ms_of(std::optional<double> amount, double limit, std::optional<double> own_rate) {
  return amount && own_rate.value_or(0) <= limit ? *amount / limit : 0;
}

}  // namespace

double least_ms_of_work(const KernelSpec& spec, const Problem& problem, const BestRow& row) {
  const DeviceLimits& limits = row.device.limits;
  double least = 0;
  if (limits.fma_tflops) {
    const auto own = row.gflops ? std::optional(*row.gflops * 1e6) : std::nullopt;
    least = least_ms_of(work_flops(spec, problem), *limits.fma_tflops * 1e9, own);
  }
  if (limits.dram_gbps && row.mode.flushes_l2()) {
    const auto own = row.gbps ? std::optional(*row.gbps * 1e6) : std::nullopt;
    const double fastest = *limits.dram_gbps * 1e6 / k_memory_slack;
    least = std::max(least, least_ms_of(work_bytes(spec, problem), fastest, own));
  }
  return least;
}

}  // namespace gtune
