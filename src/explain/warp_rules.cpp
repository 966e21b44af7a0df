#include <fmt/format.h>

#include "explain/rules.hpp"

// Rules for missing warps and idle lanes.
namespace gtune {
namespace {

/// Above four fifths of the warps, more of them hide little more latency.
constexpr double k_low_occupancy = 0.8;
/// Below this, more than a tenth of the lanes idle; edges of a problem cost less.
constexpr double k_low_lanes = 0.9;

/// Full warps may also merge accesses, but what comes from device memory stays the same.
constexpr Unit k_all_but_memory[] = {Unit::l2,      Unit::atomics, Unit::l1,   Unit::lsu,
                                     Unit::texture, Unit::fma,     Unit::alu,  Unit::fp64,
                                     Unit::xu,      Unit::tensor,  Unit::issue};

struct OccupancyLimit {
  std::string_view rule;
  std::string_view advice;
  Goal goal;
};

std::optional<OccupancyLimit> limit_of(const std::string& limit) {
  if (limit == "registers") {
    return OccupancyLimit{"occupancy_registers",
                          "fewer registers: a smaller tile per thread, or a launch bound",
                          Goal::fewer_registers};
  }
  if (limit == "shared memory") {
    return OccupancyLimit{"occupancy_shared_memory",
                          "less shared memory per block: smaller tiles or fewer stages",
                          Goal::less_shared};
  }
  if (limit == "block size") {
    return OccupancyLimit{"occupancy_block_size",
                          "smaller blocks, whose threads divide the threads that an SM holds",
                          Goal::fewer_threads};
  }
  if (limit == "blocks") {
    return OccupancyLimit{"occupancy_block_size",
                          "larger blocks: an SM holds no more blocks than that",
                          Goal::more_threads};
  }
  return std::nullopt;
}

/// Some unit limits the kernel's speed, so that more warps would wait for it, too.
bool has_busy_unit(const Subject& subject) {
  const auto busiest = busiest_unit(subject, {});
  return busiest && busiest->share >= k_high_use;
}

/// A unit that all SMs share limits the kernel: fewer SMs at work leave more of it to each.
bool is_bound_by_shared_unit(const Subject& subject) {
  return unit_use(subject, Unit::dram).value_or(0) >= k_high_use ||
         unit_use(subject, Unit::l2).value_or(0) >= k_high_use;
}

/// The SMs could hold more blocks than there are.
bool has_few_blocks(const Subject& subject) {
  return subject.facts.waves && *subject.facts.waves < 1;
}

/// A finding about blocks and the places that SMs have for them.
Finding placed_blocks(const Subject& subject) {
  Finding finding;
  finding.evidence = {{"blocks", *subject.facts.blocks, ""}, {"waves", *subject.facts.waves, ""}};
  if (subject.metric("sm_efficiency")) {
    finding.evidence.push_back(subject.evidence("sm_efficiency"));
  }
  finding.advice =
      "more and smaller blocks, blocks that share a tile's work, or a grid that fills the device";
  finding.goal = Goal::more_blocks;
  return finding;
}

}  // namespace

std::optional<Finding> limited_occupancy(const Subject& subject) {
  const auto achieved = subject.share("achieved_occupancy");
  const auto issue = subject.share("issue_slot_utilization");
  if (!subject.measured.resources || !achieved || !issue) return std::nullopt;
  const ResourceUsage& usage = *subject.measured.resources;
  const auto limit = limit_of(usage.occupancy_limit);
  if (!limit || usage.theoretical_occupancy >= k_low_occupancy || *achieved >= k_low_occupancy ||
      has_busy_unit(subject) || has_few_blocks(subject)) {
    return std::nullopt;
  }
  Finding finding;
  finding.rule = limit->rule;
  finding.summary = fmt::format(
      "too few warps to hide latency: {} hold{} the occupancy at {:.0f} %",
      limit->goal == Goal::more_threads ? "the number of blocks" : usage.occupancy_limit,
      usage.occupancy_limit == "registers" ? "" : "s", 100 * usage.theoretical_occupancy);
  finding.evidence = {{"theoretical_occupancy", 100 * usage.theoretical_occupancy, "percent"},
                      subject.evidence("achieved_occupancy"),
                      subject.evidence("issue_slot_utilization")};
  finding.cost = 1 - *achieved;
  finding.bound = "each warp issues no faster if there are more warps";
  finding.advice = limit->advice;
  finding.goal = limit->goal;
  return with_units_kept(std::move(finding), subject, {});
}

std::optional<Finding> few_waves(const Subject& subject) {
  const StaticFacts& facts = subject.facts;
  if (!has_few_blocks(subject) || is_bound_by_shared_unit(subject)) return std::nullopt;
  Finding finding = placed_blocks(subject);
  finding.rule = "few_waves";
  finding.summary = fmt::format("too few blocks: {:.0f}, where the device holds {:.0f}",
                                *facts.blocks, *facts.blocks / *facts.waves);
  const auto achieved = subject.share("achieved_occupancy");
  if (achieved && *achieved < k_low_occupancy && !has_busy_unit(subject)) {
    finding.evidence.push_back(subject.evidence("achieved_occupancy"));
    finding.cost = 1 - *facts.waves;
    finding.bound = "each warp issues no faster if SMs hold as many blocks as they can";
  } else {
    finding.cost = facts.idle_places;
    finding.bound = "SMs with fewer blocks than the fullest wait for it";
  }
  return with_units_kept(std::move(finding), subject, {});
}

std::optional<Finding> tail_wave(const Subject& subject) {
  const StaticFacts& facts = subject.facts;
  if (!facts.waves || *facts.waves < 1 || is_bound_by_shared_unit(subject)) return std::nullopt;
  Finding finding = placed_blocks(subject);
  finding.rule = "tail_wave";
  finding.summary = fmt::format("tail: the last of {:.2f} waves is not full", *facts.waves);
  finding.cost = facts.idle_places;
  finding.bound = "the last wave takes as long as a full one";
  return with_units_kept(std::move(finding), subject, {});
}

std::optional<Finding> divergence(const Subject& subject) {
  const auto lanes = subject.share("warp_execution_efficiency");
  if (!lanes || *lanes >= k_low_lanes) return std::nullopt;
  Finding finding;
  finding.rule = "divergence";
  finding.summary =
      fmt::format("divergence: {:.1f} of a warp's 32 lanes work on average", 32 * *lanes);
  finding.evidence.push_back(subject.evidence("warp_execution_efficiency"));
  if (subject.metric("branch_efficiency")) {
    finding.evidence.push_back(subject.evidence("branch_efficiency"));
  }
  finding.cost = 1 - *lanes;
  finding.bound = "full warps would issue that many fewer instructions";
  finding.advice =
      "conditions that are the same for a whole warp, threads in multiples of 32, "
      "tiles that divide the problem";
  return with_units_kept(std::move(finding), subject, k_all_but_memory);
}

}  // namespace gtune
