#include <fmt/format.h>

#include <algorithm>

#include "explain/rules.hpp"

// Rules for the unit that bounds the kernel.
namespace gtune {
namespace {

/// Units within this distance of the busiest one bound the kernel together with it, as in the
/// SpeedOfLight rule, which then calls compute and memory balanced.
constexpr double k_balanced = 0.1;
/// Traffic above this multiple of the work's need can be avoided by reuse; smaller excess comes
/// from write-backs and partial sectors.
constexpr double k_excess_traffic = 1.1;
/// A warp that waits for memory this share of its time waits for nothing else as long: there are
/// about ten stall reasons.
constexpr double k_waits_for_memory = 0.3;

/// A unit that can bound a kernel, and the finding if it does.
struct BoundRule {
  Unit unit;
  const char* name;
  const char* metric;        // the unit's work
  bool of_active_sms;        // whether the metric counts only SMs with warps
  const char* also;          // further evidence, if it is known
  const char* before_share;  // "bound by L2, at" ...
  const char* after_share;   // ... "75 % of its peak"
  const char* advice;
  Goal goal;
};

constexpr BoundRule k_bound_rules[] = {
    {Unit::dram, "dram_bound", "dram_throughput", false, "dram_bytes", ", at", "of its peak",
     "reuse data more often: larger tiles, a block order that shares L2", Goal::larger_tiles},
    {Unit::l2, "l2_bound", "l2_throughput", false, "l2_hit_rate", ", at", "of its peak",
     "read less through L2: larger tiles in shared memory and registers", Goal::larger_tiles},
    {Unit::l1, "l1_bound", "l1_utilization", false, "shared_efficiency", ", which move data",
     "of the time", "fewer and wider accesses: larger tiles per thread, in registers", Goal::none},
    {Unit::fma, "fma_bound", "fma_pipe_utilization", true, "issue_slot_utilization", ", busy",
     "of the time", "fewer instructions besides the FMAs, or tensor cores if the accuracy allows",
     Goal::none},
    {Unit::tensor, "tensor_bound", "tensor_pipe_utilization", true, "issue_slot_utilization",
     ", busy", "of the time", "keep the pipe fed: fewer barriers, deeper stages", Goal::none},
};

/// The use of a pipe over all SMs; over the active ones if the share of idle SMs is unknown.
std::optional<double> pipe_use(const Subject& subject, std::string_view metric) {
  const auto use = subject.share(metric);
  if (!use) return std::nullopt;
  return *use * subject.share("sm_efficiency").value_or(1);
}

std::optional<double> use_of(const Subject& subject, const BoundRule& rule) {
  return rule.of_active_sms ? pipe_use(subject, rule.metric) : subject.share(rule.metric);
}

double highest_use(const Subject& subject) {
  double highest = 0;
  for (const BoundRule& rule : k_bound_rules) {
    highest = std::max(highest, use_of(subject, rule).value_or(0));
  }
  return highest;
}

/// A better kernel can save at most the time above the roofline.
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

/// Bytes moved through device memory over the bytes that the work needs.
std::optional<double> traffic_factor(const Subject& subject) {
  const auto moved = subject.metric("dram_bytes");
  const auto rate = subject.facts.speed.gbps;
  if (!moved || !rate || *rate <= 0) return std::nullopt;
  return *moved / (*rate * 1e6 * subject.measured.timing->median_ms);
}

/// Reuse cannot help a kernel that moves little more than the work needs.
void weigh_traffic(Finding& finding, const Subject& subject) {
  const auto factor = traffic_factor(subject);
  if (!factor) return;
  if (*factor > k_excess_traffic) {
    finding.evidence.push_back({"dram_bytes over the work's", *factor, "ratio"});
    return;
  }
  finding.advice = "it moves little more than the work needs: only smaller inputs help";
  finding.goal = Goal::none;
}

Finding bound_by(const BoundRule& rule, const Subject& subject, double use) {
  Finding finding;
  finding.rule = rule.name;
  finding.summary = fmt::format("bound by {}{} {:.0f} % {}", to_string(rule.unit),
                                rule.before_share, 100 * use, rule.after_share);
  finding.evidence.push_back(subject.evidence(rule.metric));
  add_if_known(finding, subject, rule.also);
  finding.advice = rule.advice;
  finding.goal = rule.goal;
  if (rule.unit == Unit::tensor) {  // the roofline is that of the FMA units
    finding.cost = 1 - use;
    finding.bound = "the tensor pipe would have to work all the time";
  } else {
    cost_above_roof(finding, subject);
  }
  if (rule.unit == Unit::dram) weigh_traffic(finding, subject);
  return finding;
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

std::vector<Finding> unit_bounds(const Subject& subject) {
  const double least = std::max(k_high_use, highest_use(subject) - k_balanced);
  std::vector<Finding> findings;
  for (const BoundRule& rule : k_bound_rules) {
    const auto use = use_of(subject, rule);
    if (use && *use >= least) findings.push_back(bound_by(rule, subject, *use));
  }
  return findings;
}

std::optional<Finding> latency_bound(const Subject& subject) {
  const auto fma = pipe_use(subject, "fma_pipe_utilization");
  const auto issue = pipe_use(subject, "issue_slot_utilization");
  if (!unit_use(subject, Unit::dram) || (!fma && !issue)) return std::nullopt;
  const double roof = subject.facts.roof ? subject.facts.roof->share : 0;
  // Work that is faster than FMA units allow is done by tensor cores, even without their metric.
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
