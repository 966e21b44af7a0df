#include "explain/metric_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/step_metrics.hpp"

namespace gtune {
namespace {

/// Counters vary by up to this much from run to run, times by less.
constexpr double k_same_count = 0.02;
constexpr double k_same_time = 0.002;

/// The meaning of a higher and a lower value; {} is the difference.
struct Words {
  std::string_view metric;
  ValueGroup group;
  const char* more;
  const char* less;
};

/// In the order of tables. Static facts come before "duration", which is the first metric.
constexpr Words k_words[] = {
    {"time", ValueGroup::time, "takes {} more time", "takes {} less time"},
    {"speed", ValueGroup::time, "does {} more work per second", "does {} less work per second"},
    {"share_of_roof", ValueGroup::time, "comes {} nearer to the roofline",
     "stays {} further from the roofline"},
    {"registers", ValueGroup::launch, "needs {} more registers", "needs {} fewer registers"},
    {"spilled", ValueGroup::launch, "spills {} more", "spills {} less"},
    {"shared_memory", ValueGroup::launch, "needs {} more shared memory",
     "needs {} less shared memory"},
    {"threads_per_block", ValueGroup::launch, "has {} more threads in a block",
     "has {} fewer threads in a block"},
    {"blocks", ValueGroup::launch, "launches {} more blocks", "launches {} fewer blocks"},
    {"waves", ValueGroup::launch, "takes {} more waves", "takes {} fewer waves"},
    {"idle_places", ValueGroup::launch, "leaves {} more places of blocks empty",
     "leaves {} fewer places empty"},
    {"theoretical_occupancy", ValueGroup::occupancy, "has room for {} more warps",
     "has room for {} fewer warps"},
    {"duration", ValueGroup::time, "takes {} more time under the profiler",
     "takes {} less time under the profiler"},
    {"energy_mj", ValueGroup::time, "takes {} more energy", "takes {} less energy"},
    {"power_w", ValueGroup::time, "draws {} more power", "draws {} less power"},
    {"dram_throughput", ValueGroup::memory, "uses {} more of the memory's bandwidth",
     "uses {} less of the memory's bandwidth"},
    {"dram_bytes", ValueGroup::memory, "moves {} more through device memory",
     "moves {} less through device memory"},
    {"dram_read_bytes", ValueGroup::memory, "reads {} more from device memory",
     "reads {} less from device memory"},
    {"dram_write_bytes", ValueGroup::memory, "writes {} more to device memory",
     "writes {} less to device memory"},
    {"dram_read_throughput", ValueGroup::memory, "reads {} faster from device memory",
     "reads {} slower from device memory"},
    {"dram_write_throughput", ValueGroup::memory, "writes {} faster to device memory",
     "writes {} slower to device memory"},
    {"l2_bytes", ValueGroup::memory, "moves {} more through L2", "moves {} less through L2"},
    {"l2_hit_rate", ValueGroup::memory, "finds {} more in L2", "finds {} less in L2"},
    {"l2_throughput", ValueGroup::memory, "keeps L2 {} busier", "keeps L2 {} less busy"},
    {"l1_bytes", ValueGroup::memory, "moves {} more through L1", "moves {} less through L1"},
    {"l1_hit_rate", ValueGroup::memory, "finds {} more in L1", "finds {} less in L1"},
    {"gld_efficiency", ValueGroup::memory, "its loads use {} more of what they move",
     "its loads use {} less of what they move"},
    {"gst_efficiency", ValueGroup::memory, "its stores use {} more of what they move",
     "its stores use {} less of what they move"},
    {"gld_transactions", ValueGroup::memory, "loads {} more sectors", "loads {} fewer sectors"},
    {"gld_requested_bytes", ValueGroup::memory, "asks for {} more by loads",
     "asks for {} less by loads"},
    {"async_requested_bytes", ValueGroup::memory, "asks for {} more by async copies",
     "asks for {} less by async copies"},
    {"gst_transactions", ValueGroup::memory, "stores {} more sectors", "stores {} fewer sectors"},
    {"local_load_transactions", ValueGroup::memory, "reads {} more of spilled registers",
     "reads {} less of spilled registers"},
    {"local_store_transactions", ValueGroup::memory, "writes {} more of spilled registers",
     "writes {} less of spilled registers"},
    {"shared_efficiency", ValueGroup::memory, "uses {} more of what shared memory moves",
     "uses {} less of what shared memory moves"},
    {"l1_utilization", ValueGroup::memory, "keeps L1 and shared memory {} busier",
     "keeps L1 and shared memory {} less busy"},
    {"bank_conflicts", ValueGroup::memory, "has {} more bank conflicts",
     "has {} fewer bank conflicts"},
    {"bank_conflicts_load", ValueGroup::memory, "has {} more bank conflicts of loads",
     "has {} fewer bank conflicts of loads"},
    {"bank_conflicts_store", ValueGroup::memory, "has {} more bank conflicts of stores",
     "has {} fewer bank conflicts of stores"},
    {"bank_conflicts_atomic", ValueGroup::memory, "has {} more bank conflicts of atomics",
     "has {} fewer bank conflicts of atomics"},
    {"atomic_utilization", ValueGroup::memory, "keeps L2 {} busier with atomics",
     "keeps L2 {} less busy with atomics"},
    {"atomic_hotspot", ValueGroup::memory, "keeps the busiest slice of L2 {} busier with atomics",
     "keeps the busiest slice of L2 {} less busy with atomics"},
    {"texture_utilization", ValueGroup::memory, "keeps the texture unit {} busier",
     "keeps the texture unit {} less busy"},
    {"achieved_occupancy", ValueGroup::occupancy, "keeps {} more warps resident",
     "keeps {} fewer warps resident"},
    {"sm_efficiency", ValueGroup::occupancy, "keeps the SMs {} busier",
     "keeps the SMs {} less busy"},
    {"stall_memory_dependency", ValueGroup::occupancy, "its warps wait {} more for memory",
     "its warps wait {} less for memory"},
    {"ipc", ValueGroup::compute, "issues {} more instructions per cycle",
     "issues {} fewer instructions per cycle"},
    {"issue_slot_utilization", ValueGroup::compute, "uses {} more of the issue slots",
     "uses {} less of the issue slots"},
    {"fma_pipe_utilization", ValueGroup::compute, "keeps the FMA pipe {} busier",
     "keeps the FMA pipe {} less busy"},
    {"tensor_pipe_utilization", ValueGroup::compute, "keeps tensor cores {} busier",
     "keeps tensor cores {} less busy"},
    {"alu_pipe_utilization", ValueGroup::compute, "keeps the ALU pipe {} busier",
     "keeps the ALU pipe {} less busy"},
    {"fp64_pipe_utilization", ValueGroup::compute, "keeps the FP64 pipe {} busier",
     "keeps the FP64 pipe {} less busy"},
    {"xu_pipe_utilization", ValueGroup::compute, "keeps the special-function pipe {} busier",
     "keeps the special-function pipe {} less busy"},
    {"lsu_pipe_utilization", ValueGroup::compute, "keeps the load-store pipe {} busier",
     "keeps the load-store pipe {} less busy"},
    {"inst_executed", ValueGroup::compute, "executes {} more instructions",
     "executes {} fewer instructions"},
    {"branch_efficiency", ValueGroup::compute, "more of its branches go one way, by {}",
     "fewer of its branches go one way, by {}"},
    {"warp_execution_efficiency", ValueGroup::compute, "has {} more lanes at work",
     "has {} fewer lanes at work"},
};

std::string amount(double ratio) {
  const double factor = ratio < 1 ? 1 / ratio : ratio;
  if (factor >= 2) return fmt::format("{:.{}f}x", factor, factor < 10 ? 1 : 0);
  const double percent = 100 * std::abs(ratio - 1);
  return fmt::format("{:.{}f} %", percent, percent < 10 ? 1 : 0);
}

}  // namespace

std::size_t place_of(std::string_view metric) {
  const auto found = std::find_if(std::begin(k_words), std::end(k_words),
                                  [&](const Words& each) { return each.metric == metric; });
  return static_cast<std::size_t>(found - std::begin(k_words));
}

ValueGroup group_of(std::string_view metric) {
  if (is_step_metric(metric)) return ValueGroup::time;
  const std::size_t place = place_of(metric);
  return place == std::size(k_words) ? ValueGroup::other : k_words[place].group;
}

std::string reading_of(std::string_view metric, double value, double versus) {
  const std::size_t place = place_of(metric);
  if (place == std::size(k_words)) return "";
  if (value == versus) return "the same";
  if (value == 0) return "none here";
  if (versus == 0) return "none there";
  const double ratio = value / versus;
  const bool counted = place >= place_of("duration");
  if (std::abs(ratio - 1) <= (counted ? k_same_count : k_same_time)) return "the same";
  const Words& words = k_words[place];
  return fmt::format(fmt::runtime(ratio > 1 ? words.more : words.less), amount(ratio));
}

}  // namespace gtune
