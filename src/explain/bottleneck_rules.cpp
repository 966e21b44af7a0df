#include <fmt/format.h>

#include <algorithm>

#include "explain/rules.hpp"
#include "report/quantity.hpp"

// Rules for the unit that bounds the kernel.
namespace gtune {
namespace {

/// Units within this distance of the busiest one bound the kernel together with it, as in the
/// SpeedOfLight rule, which then calls compute and memory balanced.
constexpr double k_balanced = 0.1;
/// Traffic above this multiple of the work's need can be avoided by reuse; smaller excess comes
/// from write-backs and partial sectors.
constexpr double k_excess_traffic = 1.1;
/// L2 that moves no more than this multiple of device memory's bytes serves hardly any from itself.
constexpr double k_passed_on = 1.25;
/// A warp that waits for memory this share of its time waits for nothing else as long: there are
/// about ten stall reasons.
constexpr double k_waits_for_memory = 0.3;

/// The limit of device memory is that of copies; reading or writing alone may be this much faster.
constexpr double k_memory_slack = 0.9;

/// A unit that can bound a kernel, and the finding if it does.
struct BoundRule {
  Unit unit;
  const char* name;
  const char* also;     // further evidence, if it is known
  const char* summary;  // {:.0f}: its use in percent
  const char* advice;
  Goal goal;
};

constexpr BoundRule k_bound_rules[] = {
    {Unit::dram, "dram_bound", "dram_bytes", "bound by device memory, at {:.0f} % of its peak",
     "reuse data more often: larger tiles, a block order that shares L2", Goal::larger_tiles},
    {Unit::l2, "l2_bound", "l2_hit_rate", "bound by L2, at {:.0f} % of its peak",
     "read less through L2: larger tiles in shared memory and registers", Goal::none},
    {Unit::atomics, "atomics_bound", "atomic_utilization",
     "bound by atomics: the busiest slice of L2 computes them {:.0f} % of the time",
     "fewer atomics in global memory: combine values in a warp or a block first, or let blocks add "
     "to copies of their own",
     Goal::none},
    {Unit::l1, "l1_bound", "shared_efficiency",
     "bound by L1 and shared memory, which move data {:.0f} % of the time",
     "fewer and wider accesses: larger tiles per thread, in registers", Goal::none},
    {Unit::lsu, "lsu_bound", "issue_slot_utilization",
     "bound by the load-store pipe (accesses to memory, shuffles), busy {:.0f} % of the time",
     "fewer and wider accesses; fewer shuffles: each thread combines more values by itself first",
     Goal::none},
    {Unit::texture, "texture_bound", "l1_hit_rate",
     "bound by the texture unit, which reads texels {:.0f} % of the time",
     "fewer fetches: a tile in shared memory, or loads, which L1 serves faster than fetches that "
     "need no filter",
     Goal::none},
    {Unit::fma, "fma_bound", "issue_slot_utilization",
     "bound by the FMA pipe, busy {:.0f} % of the time",
     "fewer instructions besides the FMAs; tensor cores, if it multiplies matrices and the "
     "accuracy allows",
     Goal::none},
    {Unit::alu, "alu_bound", "issue_slot_utilization",
     "bound by the ALU pipe (integers, comparisons, bits), busy {:.0f} % of the time",
     "less arithmetic on indices: unrolled loops, constant sizes, indices kept from one iteration "
     "to the next",
     Goal::none},
    {Unit::fp64, "fp64_bound", "issue_slot_utilization",
     "bound by the FP64 pipe, busy {:.0f} % of the time",
     "FP32 where the accuracy allows; literals such as 1.0 and functions such as pow also count",
     Goal::none},
    {Unit::xu, "xu_bound", "issue_slot_utilization",
     "bound by the pipe for special functions and conversions, busy {:.0f} % of the time",
     "fewer of rsqrt, exp, sin, divisions and conversions: reuse their results, or compute part of "
     "them by FMAs",
     Goal::none},
    {Unit::tensor, "tensor_bound", "issue_slot_utilization",
     "bound by the tensor pipe, busy {:.0f} % of the time",
     "keep the pipe fed: fewer barriers, deeper stages", Goal::none},
    {Unit::issue, "issue_bound", "ipc",
     "bound by the issue of instructions, in {:.0f} % of all cycles",
     "fewer instructions for the same work: wider loads, unrolled loops, more results per thread",
     Goal::none},
};

/// The unit's use; that over the active SMs alone if the share of idle ones is unknown.
std::optional<double> use_of(const Subject& subject, Unit unit) {
  const auto use = unit_use(subject, unit);
  return use ? use : subject.share(metric_of(unit));
}

/// The busiest unit but the issue of instructions, which every unit's work needs.
UnitUse highest_use(const Subject& subject) {
  UnitUse highest;
  for (const BoundRule& rule : k_bound_rules) {
    if (rule.unit == Unit::issue) continue;
    const double use = use_of(subject, rule.unit).value_or(0);
    if (use > highest.share) highest = {rule.unit, use};
  }
  return highest;
}

/// The least time of the work; 0 if it is not known, as with a warm cache.
double least_ms(const Subject& subject) {
  if (!subject.facts.roof) return 0;
  const Roof& roof = *subject.facts.roof;
  if (roof.of_compute) return roof.least_ms;
  return subject.measured.timing->mode.flushes_l2() ? k_memory_slack * roof.least_ms : 0;
}

std::string bound_of_least(const Subject& subject, double least) {
  constexpr int digits = 3;
  return fmt::format(
      "the work takes at least {} of {}, by the limit of {}", quantity_text(least, "ms", digits),
      quantity_text(subject.measured.timing->median_ms, "ms", digits),
      subject.facts.roof->of_compute ? "FMA units"
                                     : "device memory and a tenth, which reads alone can reach");
}

/// A better kernel can save at most the time above the roofline.
void cost_above_roof(Finding& finding, const Subject& subject) {
  const double least = least_ms(subject);
  if (least > 0) {
    finding.cost = std::max(0.0, 1 - least / subject.measured.timing->median_ms);
    finding.bound = bound_of_least(subject, least);
  } else if (subject.facts.roof) {
    finding.bound = "not known: its data may be in L2";
  } else {
    finding.bound = "not known: it needs the work in the spec and the limits of the device";
  }
}

void limit_by_roof(Finding& finding, const Subject& subject) {
  const double least = least_ms(subject);
  const double above = 1 - least / subject.measured.timing->median_ms;
  if (!finding.cost || above >= *finding.cost) return;
  finding.cost = std::max(0.0, above);
  finding.bound = bound_of_least(subject, least);
}

void add_if_known(Finding& finding, const Subject& subject, std::string_view metric) {
  if (subject.metric(metric)) finding.evidence.push_back(subject.evidence(metric));
}

/// The metric of a unit, if it is not among the evidence.
void add_unit(Finding& finding, const Subject& subject, Unit unit) {
  const std::string_view metric = metric_of(unit);
  const bool is_there = std::any_of(finding.evidence.begin(), finding.evidence.end(),
                                    [&](const Evidence& each) { return each.name == metric; });
  if (!is_there) add_if_known(finding, subject, metric);
}

/// Bytes that the work needs; absent if the spec does not state them.
std::optional<double> needed_bytes(const Subject& subject) {
  const auto rate = subject.facts.speed.gbps;
  if (!rate || *rate <= 0) return std::nullopt;
  return *rate * 1e6 * subject.measured.timing->median_ms;
}

/// Bytes that are moved through device memory or L2. Of what L1 is asked for, L2 moves what L1 does
/// not find; all of it if that is unknown.
std::optional<double> moved_bytes(const Subject& subject, Unit unit) {
  if (unit == Unit::dram) return subject.metric("dram_bytes");
  const auto loads = subject.metric("gld_transactions");
  const auto stores = subject.metric("gst_transactions");
  if (unit != Unit::l2 || !loads || !stores) return std::nullopt;
  const double found_in_l1 = subject.share("l1_hit_rate").value_or(0);
  return k_sector_bytes * (*loads + *stores) * (1 - found_in_l1);
}

/// L2 passes on what device memory moves, and little else: then it is not a second cause.
bool only_passes_on(const Subject& subject) {
  const auto through_l2 = moved_bytes(subject, Unit::l2);
  const auto of_memory = moved_bytes(subject, Unit::dram);
  return through_l2 && of_memory && *through_l2 <= k_passed_on * *of_memory;
}

constexpr const char* k_fewer_bytes =
    "only moving fewer bytes helps, as with smaller types or fused kernels";

/// Reuse cannot help a kernel that moves little more than the work needs, or is as fast as copies.
void weigh_traffic(Finding& finding, const Subject& subject, Unit unit) {
  if (unit != Unit::dram && unit != Unit::l2) return;
  const auto& roof = subject.facts.roof;
  if (is_as_fast_as_copies(subject)) {
    finding.advice = fmt::format(
        "little is left to gain: the work is done at {:.0f} % of the limit measured for device "
        "memory; {}",
        100 * roof->share, k_fewer_bytes);
    finding.little_is_left = unit == Unit::dram;
    finding.goal = Goal::none;
    return;
  }
  const auto moved = moved_bytes(subject, unit);
  const auto needed = needed_bytes(subject);
  if (!moved || !needed) return;
  const double factor = *moved / *needed;
  if (factor > k_excess_traffic) {
    const char* name = unit == Unit::dram ? "dram_bytes over the work's" : "bytes over the work's";
    finding.evidence.push_back({name, factor, "ratio"});
    return;
  }
  finding.advice =
      fmt::format("it moves little more than the work needs; {}{}",
                  roof && !roof->of_compute
                      ? "memory is not used fully, which more loads under way per thread or more "
                        "warps may change; besides, "
                      : "",
                  k_fewer_bytes);
  finding.goal = Goal::none;
}

Finding bound_by(const BoundRule& rule, const Subject& subject, double use) {
  Finding finding;
  finding.rule = rule.name;
  finding.summary = fmt::format(fmt::runtime(rule.summary), 100 * use);
  finding.evidence.push_back(subject.evidence(metric_of(rule.unit)));
  add_if_known(finding, subject, rule.also);
  finding.advice = rule.advice;
  finding.goal = rule.goal;
  if (rule.unit == Unit::tensor) {  // the roofline is that of the FMA units
    finding.cost = 1 - use;
    finding.bound = "the tensor pipe would have to work all the time";
  } else {
    cost_above_roof(finding, subject);
  }
  weigh_traffic(finding, subject, rule.unit);
  return finding;
}

/// Another unit bounds the kernel, and those that a change relieves wait for it.
bool is_bound_by_others(const Subject& subject, std::span<const Unit> relieved) {
  const auto other = busiest_unit(subject, relieved);
  if (!other || other->share < k_high_use) return false;
  double highest = 0;
  for (const Unit unit : relieved) {
    highest = std::max(highest, unit_use(subject, unit).value_or(0));
  }
  return other->share > highest + k_balanced;
}

}  // namespace

bool is_as_fast_as_copies(const Subject& subject) {
  const auto& roof = subject.facts.roof;
  return roof && !roof->of_compute && roof->share >= k_memory_slack &&
         subject.measured.timing->mode.flushes_l2();
}

std::optional<Finding> with_units_kept(Finding finding, const Subject& subject,
                                       std::span<const Unit> relieved) {
  if (!relieved.empty() && is_bound_by_others(subject, relieved)) return std::nullopt;
  const auto busiest = busiest_unit(subject, relieved);
  if (busiest && finding.cost && 1 - busiest->share < *finding.cost) {
    finding.cost = std::max(0.0, 1 - busiest->share);
    finding.bound = fmt::format("{} works {:.0f} % of the time as it is", to_string(busiest->unit),
                                100 * busiest->share);
  }
  limit_by_roof(finding, subject);
  if (finding.cost && *finding.cost < k_least_cost) return std::nullopt;
  return finding;
}

std::optional<Unit> bounding_unit(std::string_view rule) {
  for (const BoundRule& each : k_bound_rules) {
    if (each.name == rule) return each.unit;
  }
  return std::nullopt;
}

std::vector<Finding> unit_bounds(const Subject& subject) {
  const double highest = highest_use(subject).share;
  const double issue = use_of(subject, Unit::issue).value_or(0);
  // A busy unit needs many instructions; their issue is the cause only if it is clearly busier.
  const bool is_issue = use_of(subject, Unit::fma).has_value() &&
                        (highest < k_high_use || issue > highest + k_balanced);
  const double least = std::max(k_high_use, (is_issue ? issue : highest) - k_balanced);
  // No faster than copies, whatever its share of the peak, which nothing reaches.
  const bool is_copy = is_as_fast_as_copies(subject);
  const bool memory_is_busy = is_copy || use_of(subject, Unit::dram).value_or(0) >= least;
  std::vector<Finding> findings;
  for (const BoundRule& rule : k_bound_rules) {
    const auto use = use_of(subject, rule.unit);
    if (rule.unit == Unit::issue && !is_issue) continue;
    if (rule.unit == Unit::l2 && memory_is_busy && only_passes_on(subject)) continue;
    const bool is_bound = use && (*use >= least || (rule.unit == Unit::dram && is_copy));
    if (is_bound) findings.push_back(bound_by(rule, subject, *use));
  }
  return findings;
}

std::optional<Finding> latency_bound(const Subject& subject) {
  const auto fma = use_of(subject, Unit::fma);
  const auto issue = use_of(subject, Unit::issue);
  if (!unit_use(subject, Unit::dram) || (!fma && !issue)) return std::nullopt;
  const double roof = subject.facts.roof ? subject.facts.roof->share : 0;
  const UnitUse highest = highest_use(subject);
  // Work that is faster than FMA units allow is done by tensor cores. Without their metric, it is
  // not known how busy these are.
  const double fma_share = subject.facts.speed.fma_share.value_or(0);
  const bool is_by_tensor_cores = fma_share > 1;
  const bool counts = is_by_tensor_cores && use_of(subject, Unit::tensor).value_or(0) > 0;
  const double use = std::max({highest.share, issue.value_or(0), roof, counts ? 0 : fma_share});
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
  add_unit(finding, subject, highest.unit);
  const double least = least_ms(subject);
  if (least > 0 && !is_by_tensor_cores) {
    // Units may be spared work that they do now: only the spec's own work is needed.
    finding.cost = 1 - least / subject.measured.timing->median_ms;
    finding.bound = bound_of_least(subject, least);
  } else {
    finding.cost = 1 - use;
    finding.bound = "the busiest unit would have to work all the time";
  }
  const bool memory = subject.share("stall_memory_dependency").value_or(0) >= k_waits_for_memory;
  finding.advice = memory ? "warps wait for global memory: more loads under way per thread, a "
                            "deeper pipeline, or more warps"
                          : "more independent instructions per thread, fewer barriers, or more "
                            "warps";
  return finding;
}

}  // namespace gtune
