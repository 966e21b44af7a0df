#include <fmt/format.h>

#include <algorithm>

#include "explain/rules.hpp"

// Rules: which unit bounds the kernel.
namespace gtune {
namespace {

/// Units this near to the busiest bound the kernel together with it: the SpeedOfLight rule calls
/// compute and memory balanced within as much.
constexpr double k_balanced = 0.1;
/// More than this over what the work needs is traffic that reuse can avoid; below lie write-backs
/// and partial sectors.
constexpr double k_excess_traffic = 1.1;
/// A warp that waits this much of its time for memory waits for nothing else as long: there are
/// some ten reasons to stall.
constexpr double k_waits_for_memory = 0.3;

/// Of an SM's pipe; without the share of idle SMs, that of the active ones.
std::optional<double> pipe_use(const Subject& subject, std::string_view metric) {
  const auto use = subject.share(metric);
  if (!use) return std::nullopt;
  return *use * subject.share("sm_efficiency").value_or(1);
}

double highest_use(const Subject& subject) {
  double highest = 0;
  for (const Unit unit : {Unit::dram, Unit::l2, Unit::l1}) {
    highest = std::max(highest, unit_use(subject, unit).value_or(0));
  }
  for (const char* pipe : {"fma_pipe_utilization", "tensor_pipe_utilization"}) {
    highest = std::max(highest, pipe_use(subject, pipe).value_or(0));
  }
  return highest;
}

bool bounds(const Subject& subject, std::optional<double> use) {
  return use && *use >= k_high_use && *use >= highest_use(subject) - k_balanced;
}

/// The rest above the roofline is what a better kernel can save at most.
void cost_above_roof(Finding& finding, const Subject& subject) {
  if (!subject.facts.roof) {
    finding.bound = "not known: it needs the work in the spec and the limits of the device";
    return;
  }
  const Roof& roof = *subject.facts.roof;
  finding.cost = std::max(0.0, 1 - roof.share);
  finding.bound = fmt::format(
      "the work alone takes {:.4g} of {:.4g} ms at the limit measured for {}", roof.least_ms,
      subject.measured.timing->median_ms, roof.of_compute ? "FMA units" : "device memory");
}

void add_if_known(Finding& finding, const Subject& subject, std::string_view metric) {
  if (subject.metric(metric)) finding.evidence.push_back(subject.evidence(metric));
}

/// Bytes through device memory over those that the work needs.
std::optional<double> traffic_factor(const Subject& subject) {
  const auto moved = subject.metric("dram_bytes");
  const auto rate = subject.facts.speed.gbps;
  if (!moved || !rate || *rate <= 0) return std::nullopt;
  return *moved / (*rate * 1e6 * subject.measured.timing->median_ms);
}

}  // namespace

std::optional<Finding> with_units_kept(Finding finding, const Subject& subject,
                                       const std::vector<Unit>& units) {
  const auto busiest = busiest_of(subject, units);
  if (busiest && finding.cost && 1 - busiest->share < *finding.cost) {
    finding.cost = std::max(0.0, 1 - busiest->share);
    finding.bound = fmt::format("{} works {:.0f} % of the time as it is", to_string(busiest->unit),
                                100 * busiest->share);
  }
  if (finding.cost && *finding.cost < k_least_cost) return std::nullopt;
  return finding;
}

std::optional<Finding> dram_bound(const Subject& subject) {
  const auto use = unit_use(subject, Unit::dram);
  if (!bounds(subject, use)) return std::nullopt;
  Finding finding;
  finding.rule = "dram_bound";
  finding.summary = fmt::format("bound by device memory, at {:.0f} % of its peak", 100 * *use);
  finding.evidence.push_back(subject.evidence("dram_throughput"));
  add_if_known(finding, subject, "dram_bytes");
  cost_above_roof(finding, subject);
  const auto factor = traffic_factor(subject);
  if (factor && *factor <= k_excess_traffic) {
    finding.advice = "it moves hardly more than the work needs: only fewer bytes of input help";
    return finding;
  }
  if (factor) {
    finding.evidence.push_back({"dram_bytes over the work's", *factor, "ratio"});
  }
  finding.advice = "use what was read more often: larger tiles, an order of blocks that shares L2";
  finding.goal = Goal::larger_tiles;
  return finding;
}

std::optional<Finding> l2_bound(const Subject& subject) {
  const auto use = unit_use(subject, Unit::l2);
  if (!bounds(subject, use)) return std::nullopt;
  Finding finding;
  finding.rule = "l2_bound";
  finding.summary = fmt::format("bound by L2, at {:.0f} % of its peak", 100 * *use);
  finding.evidence.push_back(subject.evidence("l2_throughput"));
  add_if_known(finding, subject, "l2_hit_rate");
  cost_above_roof(finding, subject);
  finding.advice = "read less through L2: larger tiles in shared memory and registers";
  finding.goal = Goal::larger_tiles;
  return finding;
}

std::optional<Finding> l1_bound(const Subject& subject) {
  const auto use = unit_use(subject, Unit::l1);
  if (!bounds(subject, use)) return std::nullopt;
  Finding finding;
  finding.rule = "l1_bound";
  finding.summary = fmt::format(
      "bound by L1 and shared memory, which move data {:.0f} % of the time", 100 * *use);
  finding.evidence.push_back(subject.evidence("l1_utilization"));
  add_if_known(finding, subject, "shared_efficiency");
  cost_above_roof(finding, subject);
  finding.advice = "fewer and wider accesses: larger tiles per thread, in registers";
  return finding;
}

std::optional<Finding> fma_bound(const Subject& subject) {
  const auto use = pipe_use(subject, "fma_pipe_utilization");
  if (!bounds(subject, use)) return std::nullopt;
  Finding finding;
  finding.rule = "fma_bound";
  finding.summary = fmt::format("bound by the FMA pipe, busy {:.0f} % of the time", 100 * *use);
  finding.evidence.push_back(subject.evidence("fma_pipe_utilization"));
  add_if_known(finding, subject, "issue_slot_utilization");
  cost_above_roof(finding, subject);
  finding.advice = "fewer instructions beside the FMAs, or tensor cores where the accuracy allows";
  return finding;
}

std::optional<Finding> tensor_bound(const Subject& subject) {
  const auto use = pipe_use(subject, "tensor_pipe_utilization");
  if (!bounds(subject, use)) return std::nullopt;
  Finding finding;
  finding.rule = "tensor_bound";
  finding.summary = fmt::format("bound by the tensor pipe, busy {:.0f} % of the time", 100 * *use);
  finding.evidence.push_back(subject.evidence("tensor_pipe_utilization"));
  add_if_known(finding, subject, "issue_slot_utilization");
  finding.cost = 1 - *use;
  finding.bound = "the tensor pipe would have to work all the time";
  finding.advice = "keep the pipe fed: fewer barriers, deeper stages";
  return finding;
}

std::optional<Finding> latency_bound(const Subject& subject) {
  const auto fma = pipe_use(subject, "fma_pipe_utilization");
  const auto issue = pipe_use(subject, "issue_slot_utilization");
  if (!unit_use(subject, Unit::dram) || (!fma && !issue)) return std::nullopt;
  const double roof = subject.facts.roof ? subject.facts.roof->share : 0;
  // Where no metric tells, work that is done faster than FMA units can is done by tensor cores.
  const double use = std::max(
      {highest_use(subject), issue.value_or(0), roof, subject.facts.speed.fma_share.value_or(0)});
  if (use >= k_high_use) return std::nullopt;
  Finding finding;
  finding.rule = "latency_bound";
  finding.summary =
      fmt::format("bound by latency: no unit works more than {:.0f} % of the time", 100 * use);
  for (const char* metric :
       {"dram_throughput", "l2_throughput", "l1_utilization", "fma_pipe_utilization",
        "issue_slot_utilization", "stall_memory_dependency"}) {
    add_if_known(finding, subject, metric);
  }
  finding.cost = 1 - use;
  finding.bound = "the busiest unit would have to work all the time";
  const bool memory = subject.share("stall_memory_dependency").value_or(0) >= k_waits_for_memory;
  finding.advice = memory ? "warps wait for global memory: more loads under way per thread, a "
                            "deeper pipeline, or more warps"
                          : "more independent instructions per thread, fewer barriers, or more "
                            "warps";
  return finding;
}

}  // namespace gtune
