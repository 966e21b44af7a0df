#include "answer/scaled_time.hpp"

#include <optional>

#include "spec/evaluate.hpp"
#include "store/records.hpp"

namespace gtune {
namespace {

/// How much more work `wanted` is; absent if the spec states none.
std::optional<double> ratio(std::optional<double> wanted, std::optional<double> measured) {
  if (!wanted || !measured || *measured <= 0) return std::nullopt;
  return *wanted / *measured;
}

/// 0 if the limit or the rate is not known.
double share_of(std::optional<double> rate, std::optional<double> limit) {
  return rate && limit ? *rate / *limit : 0;
}

}  // namespace

double scaled_ms(const KernelSpec& spec, const Problem& problem, const BestRow& row) {
  const auto flops = ratio(work_flops(spec, problem), work_flops(spec, row.problem));
  const auto bytes = ratio(work_bytes(spec, problem), work_bytes(spec, row.problem));
  const double ms = row.best.measurement.timing->median_ms;
  if (!flops || !bytes) return ms * flops.value_or(bytes.value_or(0));
  // What is nearer to its limit takes the time.
  const DeviceLimits& limits = row.device.limits;
  const double of_compute = share_of(row.gflops, limits.fma_tflops) / 1e3;
  return ms * (of_compute > share_of(row.gbps, limits.dram_gbps) ? *flops : *bytes);
}

}  // namespace gtune
