#include "explain/cause_amount.hpp"

#include <algorithm>
#include <iterator>

#include "explain/rules.hpp"

namespace gtune {
namespace {

using Amount = std::optional<double> (*)(const Subject&);

/// The share of the loads' sectors that is not requested.
std::optional<double> wasted_loads(const Subject& subject) {
  const auto loads = subject.metric("gld_requested_bytes");
  const auto sectors = subject.metric("gld_transactions");
  if (!loads || !sectors || *sectors <= 0) return std::nullopt;
  const double copies = subject.metric("async_requested_bytes").value_or(0);
  return std::max(0.0, 1 - (*loads + copies) / (k_sector_bytes * *sectors));
}

std::optional<double> wasted_stores(const Subject& subject) {
  const auto efficiency = subject.share("gst_efficiency");
  const auto sectors = subject.metric("gst_transactions");
  if (!efficiency || !sectors || *sectors <= 0) return std::nullopt;
  return std::max(0.0, 1 - *efficiency);
}

std::optional<double> load_and_store_conflicts(const Subject& subject) {
  const auto all = subject.metric("bank_conflicts");
  if (!all) return std::nullopt;
  // The two are counted in different passes.
  return std::max(0.0, *all - subject.metric("bank_conflicts_atomic").value_or(0));
}

std::optional<double> atomic_conflicts(const Subject& subject) {
  return subject.metric("bank_conflicts_atomic");
}

std::optional<double> spilled_bytes(const Subject& subject) {
  if (!subject.measured.resources) return std::nullopt;
  const ResourceUsage& usage = *subject.measured.resources;
  return usage.spill_store_bytes + usage.spill_load_bytes;
}

std::optional<double> missing_occupancy(const Subject& subject) {
  if (!subject.measured.resources) return std::nullopt;
  return 1 - subject.measured.resources->theoretical_occupancy;
}

std::optional<double> missing_blocks(const Subject& subject) {
  if (!subject.facts.waves) return std::nullopt;
  return std::max(0.0, 1 - *subject.facts.waves);
}

std::optional<double> idle_places(const Subject& subject) { return subject.facts.idle_places; }

std::optional<double> idle_lanes(const Subject& subject) {
  const auto instructions = subject.metric("inst_executed");
  const auto lanes = subject.share("warp_execution_efficiency");
  if (!instructions || !lanes) return std::nullopt;
  return *instructions * (1 - *lanes);
}

struct RuleAmount {
  std::string_view rule;
  Amount amount;
};

constexpr RuleAmount k_amounts[] = {
    {"uncoalesced_loads", wasted_loads},
    {"uncoalesced_stores", wasted_stores},
    {"bank_conflicts", load_and_store_conflicts},
    {"shared_atomics", atomic_conflicts},
    {"spills", spilled_bytes},
    {"occupancy_registers", missing_occupancy},
    {"occupancy_shared_memory", missing_occupancy},
    {"occupancy_block_size", missing_occupancy},
    {"few_waves", missing_blocks},
    {"tail_wave", idle_places},
    {"divergence", idle_lanes},
};

}  // namespace

std::optional<double> amount_of(std::string_view rule, const Subject& subject) {
  if (const auto unit = bounding_unit(rule)) return busy_ms(subject, *unit);
  const auto found = std::find_if(std::begin(k_amounts), std::end(k_amounts),
                                  [&](const RuleAmount& each) { return each.rule == rule; });
  return found == std::end(k_amounts) ? std::nullopt : found->amount(subject);
}

}  // namespace gtune
