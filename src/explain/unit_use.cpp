#include "explain/unit_use.hpp"

#include <algorithm>

namespace gtune {
namespace {

/// Converts a metric over cycles in which an SM has a warp to all cycles.
std::optional<double> of_all_cycles(const Subject& subject, std::string_view metric) {
  const auto active = subject.share(metric);
  const auto with_work = subject.share("sm_efficiency");
  if (!active || !with_work) return std::nullopt;
  return *active * *with_work;
}

}  // namespace

std::string_view to_string(Unit unit) {
  switch (unit) {
    case Unit::dram:
      return "device memory";
    case Unit::l2:
      return "L2";
    case Unit::l1:
      return "L1 and shared memory";
    case Unit::fma:
      return "the FMA pipe";
    case Unit::tensor:
      return "the tensor pipe";
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
    case Unit::l1:
      return subject.share("l1_utilization");
    case Unit::fma:
      return of_all_cycles(subject, "fma_pipe_utilization");
    case Unit::tensor:
      return of_all_cycles(subject, "tensor_pipe_utilization");
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
