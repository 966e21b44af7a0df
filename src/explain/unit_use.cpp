#include "explain/unit_use.hpp"

#include <algorithm>
#include <iterator>

namespace gtune {
namespace {

struct UnitFacts {
  Unit unit;
  std::string_view name;
  std::string_view metric;
  bool of_active_cycles;  // the metric counts only cycles in which an SM has a warp
};

constexpr UnitFacts k_units[] = {
    {Unit::dram, "device memory", "dram_throughput", false},
    {Unit::l2, "L2", "l2_throughput", false},
    {Unit::atomics, "the busiest slice of L2, with atomics", "atomic_hotspot", false},
    {Unit::l1, "L1 and shared memory", "l1_utilization", false},
    {Unit::lsu, "the load-store pipe", "lsu_pipe_utilization", true},
    {Unit::texture, "the texture unit", "texture_utilization", false},
    {Unit::fma, "the FMA pipe", "fma_pipe_utilization", true},
    {Unit::alu, "the ALU pipe", "alu_pipe_utilization", true},
    {Unit::fp64, "the FP64 pipe", "fp64_pipe_utilization", true},
    {Unit::xu, "the special-function pipe", "xu_pipe_utilization", true},
    {Unit::tensor, "the tensor pipe", "tensor_pipe_utilization", true},
    {Unit::issue, "issue of instructions", "issue_slot_utilization", true},
};

const UnitFacts& facts_of(Unit unit) {
  return *std::find_if(std::begin(k_units), std::end(k_units),
                       [&](const UnitFacts& each) { return each.unit == unit; });
}

/// Converts a metric over cycles in which an SM has a warp to all cycles.
std::optional<double> of_all_cycles(const Subject& subject, std::string_view metric) {
  const auto active = subject.share(metric);
  const auto with_work = subject.share("sm_efficiency");
  if (!active || !with_work) return std::nullopt;
  return *active * *with_work;
}

}  // namespace

std::string_view to_string(Unit unit) { return facts_of(unit).name; }

std::string_view metric_of(Unit unit) { return facts_of(unit).metric; }

std::optional<double> unit_use(const Subject& subject, Unit unit) {
  const UnitFacts& facts = facts_of(unit);
  return facts.of_active_cycles ? of_all_cycles(subject, facts.metric)
                                : subject.share(facts.metric);
}

std::optional<double> busy_ms(const Subject& subject, Unit unit) {
  const auto use = unit_use(subject, unit);
  if (!use) return std::nullopt;
  return *use * subject.measured.timing->median_ms;
}

std::vector<UnitUse> unit_uses(const Subject& subject) {
  std::vector<UnitUse> uses;
  for (const UnitFacts& each : k_units) {
    if (const auto share = unit_use(subject, each.unit)) uses.push_back({each.unit, *share});
  }
  return uses;
}

std::optional<UnitUse> busiest_unit(const Subject& subject, std::span<const Unit> left_out) {
  std::optional<UnitUse> busiest;
  for (const UnitUse& each : unit_uses(subject)) {
    if (std::find(left_out.begin(), left_out.end(), each.unit) != left_out.end()) continue;
    if (!busiest || each.share > busiest->share) busiest = each;
  }
  return busiest;
}

}  // namespace gtune
