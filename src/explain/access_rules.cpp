#include <fmt/format.h>

#include <algorithm>

#include "explain/rules.hpp"

// Rules for wasted memory traffic.
namespace gtune {
namespace {

/// Above this, less than a fifth of the traffic is wasted, which misaligned rows alone can cost.
constexpr double k_low_efficiency = 0.8;
constexpr int k_first_with_copies = 80;  // compute capability: cp.async
/// If spills cause a smaller share of the sectors, they are in code that rarely runs.
constexpr double k_least_spilled_share = 0.01;

/// The units that each kind of change relieves.
constexpr Unit k_traffic[] = {Unit::dram, Unit::l2, Unit::l1};
constexpr Unit k_traffic_and_issue[] = {Unit::dram, Unit::l2, Unit::l1, Unit::lsu, Unit::issue};
constexpr Unit k_shared_memory[] = {Unit::l1};

/// Sectors of global memory, loads and stores; absent if one metric is missing.
std::optional<double> global_sectors(const Subject& subject) {
  const auto loads = subject.metric("gld_transactions");
  const auto stores = subject.metric("gst_transactions");
  if (!loads || !stores) return std::nullopt;
  return *loads + *stores;
}

/// Device memory is read in larger pieces than sectors, so it may move more than the sectors hold.
void weigh_device_memory(Finding& finding, const Subject& subject, double efficiency,
                         const char* sectors) {
  const auto moved = subject.metric("dram_bytes");
  if (!moved || *moved <= 0) return;
  const double wasted = (1 - efficiency) * k_sector_bytes * *subject.metric(sectors);
  const double requested = k_sector_bytes * *global_sectors(subject) - wasted;
  const double share = 1 - requested / *moved;
  if (share <= *finding.cost) return;
  finding.evidence.push_back(subject.evidence("dram_bytes"));
  finding.cost = share;
  finding.bound = "the share of device memory's bytes that is not requested";
}

/// `efficiency`: the share of the bytes moved by `sectors` that was requested.
std::optional<Finding> uncoalesced(const Subject& subject, std::optional<double> efficiency,
                                   const char* sectors, std::string_view what,
                                   const std::vector<std::string_view>& requested) {
  const auto all = global_sectors(subject);
  if (!efficiency || !all || *all <= 0 || *efficiency >= k_low_efficiency) return std::nullopt;
  Finding finding;
  finding.rule = fmt::format("uncoalesced_{}", what);
  finding.summary =
      fmt::format("uncoalesced {}: only {:.3g} % of the bytes they move are requested", what,
                  100 * *efficiency);
  for (const std::string_view name : requested) finding.evidence.push_back(subject.evidence(name));
  finding.evidence.push_back(subject.evidence("gld_transactions"));
  finding.evidence.push_back(subject.evidence("gst_transactions"));
  finding.cost = (1 - *efficiency) * *subject.metric(sectors) / *all;
  finding.bound =
      "the wasted share of all sectors of global memory, if time is proportional to sectors";
  weigh_device_memory(finding, subject, *efficiency, sectors);
  finding.advice =
      "neighbouring lanes on neighbouring addresses, rows that begin at multiples of "
      "32 bytes, or staging through shared memory";
  return with_units_kept(std::move(finding), subject, k_traffic);
}

/// `count`: conflicts of one kind, which `metric` counts.
std::optional<Finding> conflicts(const Subject& subject, double count, const char* metric,
                                 std::string_view what) {
  const auto cycles = subject.sm_cycles();
  if (!cycles) return std::nullopt;
  Finding finding;
  finding.rule = "bank_conflicts";
  finding.cost = std::clamp(count / *cycles, 0.0, 1.0);
  finding.summary = fmt::format("{}: {:.0f} % of the SMs' cycles", what, 100 * *finding.cost);
  finding.evidence.push_back(subject.evidence(metric));
  if (subject.metric("shared_efficiency")) {
    finding.evidence.push_back(subject.evidence("shared_efficiency"));
  }
  finding.bound = "each conflict holds an SM's shared memory for a cycle";
  return with_units_kept(std::move(finding), subject, k_shared_memory);
}

}  // namespace

/// gld_efficiency ignores async copies, but gld_transactions counts them: a kernel that loads
/// matrices by cp.async and a flag by a load would seem to waste everything.
std::optional<Finding> uncoalesced_loads(const Subject& subject) {
  const auto loads = subject.metric("gld_requested_bytes");
  const auto sectors = subject.metric("gld_transactions");
  const auto copies = subject.metric("async_requested_bytes");
  const bool has_copies = subject.device.cc() >= k_first_with_copies;
  if (!loads || !sectors || *sectors <= 0 || (has_copies && !copies)) return std::nullopt;
  std::vector<std::string_view> requested = {"gld_requested_bytes"};
  if (copies) requested.emplace_back("async_requested_bytes");
  return uncoalesced(subject, (*loads + copies.value_or(0)) / (k_sector_bytes * *sectors),
                     "gld_transactions", "loads", requested);
}

std::optional<Finding> uncoalesced_stores(const Subject& subject) {
  return uncoalesced(subject, subject.share("gst_efficiency"), "gst_transactions", "stores",
                     {"gst_efficiency"});
}

std::optional<Finding> bank_conflicts(const Subject& subject) {
  const auto all = subject.metric("bank_conflicts");
  if (!all) return std::nullopt;
  const double others = *all - subject.metric("bank_conflicts_atomic").value_or(0);
  auto finding = conflicts(subject, others, "bank_conflicts", "shared-memory bank conflicts");
  if (!finding) return std::nullopt;
  if (others < *all) finding->evidence.push_back(subject.evidence("bank_conflicts_atomic"));
  finding->advice =
      "pad rows by a word or swizzle them, so that the lanes of a warp meet in "
      "different banks";
  return finding;
}

std::optional<Finding> shared_atomics(const Subject& subject) {
  const auto of_atomics = subject.metric("bank_conflicts_atomic");
  if (!of_atomics) return std::nullopt;
  auto finding = conflicts(subject, *of_atomics, "bank_conflicts_atomic",
                           "atomics of a warp that meet in shared memory");
  if (!finding) return std::nullopt;
  finding->rule = "shared_atomics";
  finding->advice =
      "a copy of what is added to per lane or group of lanes, in different banks (lanes of a warp "
      "that "
      "share a copy still meet), or lanes that combine their values first";
  return finding;
}

std::optional<Finding> spills(const Subject& subject) {
  if (!subject.measured.resources) return std::nullopt;
  const ResourceUsage& usage = *subject.measured.resources;
  const int spilled = usage.spill_store_bytes + usage.spill_load_bytes;
  if (spilled == 0) return std::nullopt;
  Finding finding;
  finding.rule = "spills";
  finding.summary = fmt::format("registers are spilled: {} bytes stored and {} loaded per thread",
                                usage.spill_store_bytes, usage.spill_load_bytes);
  finding.evidence = {{"registers", static_cast<double>(usage.registers), ""},
                      {"spilled", static_cast<double>(spilled), "byte"}};
  finding.advice = "a smaller tile per thread, or a launch bound that leaves more registers";
  finding.goal = Goal::fewer_spills;
  const auto loads = subject.metric("local_load_transactions");
  const auto stores = subject.metric("local_store_transactions");
  const auto global = global_sectors(subject);
  if (!loads || !stores || !global) {
    finding.bound = "unknown without the transactions of local and global memory";
    return finding;
  }
  const double local = *loads + *stores;
  if (local <= k_least_spilled_share * (local + *global)) return std::nullopt;
  finding.evidence.push_back(subject.evidence("local_load_transactions"));
  finding.evidence.push_back(subject.evidence("local_store_transactions"));
  finding.cost = local / (local + *global);
  finding.bound =
      "the share of sectors that move spilled registers, if time is proportional to sectors";
  return with_units_kept(std::move(finding), subject, k_traffic_and_issue);
}

}  // namespace gtune
