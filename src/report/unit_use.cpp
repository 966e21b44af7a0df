#include "report/unit_use.hpp"

#include <algorithm>

namespace gtune {
namespace {

/// A metric over the cycles in which an SM has a warp, over all cycles.
std::optional<double> of_all_cycles(const Subject& subject, std::string_view metric) {
  const auto active = subject.share(metric);
  const auto with_work = subject.share("sm_efficiency");
  if (!active || !with_work) return std::nullopt;
  return *active * *with_work;
}

/// Shared memory serves one wavefront a cycle on each SM.
std::optional<double> shared_use(const Subject& subject) {
  const auto loads = subject.metric("shared_load_transactions");
  const auto stores = subject.metric("shared_store_transactions");
  const auto cycles = subject.sm_cycles();
  if (!loads || !stores || !cycles) return std::nullopt;
  return std::min(1.0, (*loads + *stores) / *cycles);
}

}  // namespace

std::string_view to_string(Unit unit) {
  switch (unit) {
    case Unit::dram:
      return "device memory";
    case Unit::l2:
      return "L2";
    case Unit::shared:
      return "shared memory";
    case Unit::fma:
      return "the FMA pipe";
    case Unit::issue:
      break;
  }
  return "issue of instructions";
}

std::optional<double> unit_use(const Subject& subject, Unit unit) {
  switch (unit) {
    case Unit::dram:
      return subject.share("dram_throughput");
    case Unit::l2:
      return subject.share("l2_throughput");
    case Unit::shared:
      return shared_use(subject);
    case Unit::fma:
      return of_all_cycles(subject, "fma_pipe_utilization");
    case Unit::issue:
      break;
  }
  return of_all_cycles(subject, "issue_slot_utilization");
}

std::optional<UnitUse> busiest_of(const Subject& subject, const std::vector<Unit>& units) {
  std::optional<UnitUse> busiest;
  for (const Unit unit : units) {
    const auto share = unit_use(subject, unit);
    if (share && (!busiest || *share > busiest->share)) busiest = UnitUse{unit, *share};
  }
  return busiest;
}

}  // namespace gtune
