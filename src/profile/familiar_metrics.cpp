#include "profile/familiar_metrics.hpp"

#include <algorithm>

namespace gtune {
namespace {

// nvprof's names and their successors: NVIDIA, "Nsight Compute CLI", nvprof metric comparison.
// `dram__bytes_op_read` is GB20x's name.
const std::vector<FamiliarMetric> known_metrics = {
    {"duration", "time on the GPU", {"gpu__time_duration.sum"}},
    {"dram_throughput",
     "share of the memory's peak bandwidth",
     {"dram__throughput.avg.pct_of_peak_sustained_elapsed"}},
    {"dram_bytes", "bytes read from and written to device memory", {"dram__bytes.sum"}},
    {"dram_read_bytes",
     "bytes read from device memory",
     {"dram__bytes_read.sum", "dram__bytes_op_read.sum"}},
    {"dram_write_bytes",
     "bytes written to device memory",
     {"dram__bytes_write.sum", "dram__bytes_op_write.sum"}},
    {"dram_read_throughput",
     "bytes per second read from device memory",
     {"dram__bytes_read.sum.per_second", "dram__bytes_op_read.sum.per_second"}},
    {"dram_write_throughput",
     "bytes per second written to device memory",
     {"dram__bytes_write.sum.per_second", "dram__bytes_op_write.sum.per_second"}},
    {"l2_bytes", "bytes that L2 moves, also between its partitions", {"lts__t_bytes.sum"}},
    {"l2_hit_rate", "sectors found in L2", {"lts__t_sector_hit_rate.pct"}},
    {"l2_throughput",
     "share of L2's peak throughput",
     {"lts__throughput.avg.pct_of_peak_sustained_elapsed"}},
    {"l1_bytes",
     "bytes that L1 moves for global, local and texture accesses (shared memory: not counted)",
     {"l1tex__t_bytes.sum"}},
    {"l1_hit_rate", "sectors found in L1", {"l1tex__t_sector_hit_rate.pct"}},
    {"gld_efficiency",
     "bytes asked for per byte of the sectors that global loads touch (async copies: not counted)",
     {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"}},
    {"gst_efficiency",
     "bytes asked for per byte of the sectors that global stores touch",
     {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"}},
    {"gld_transactions",
     "sectors of 32 bytes that global loads and async copies ask for",
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
    {"gld_requested_bytes",
     "bytes that lanes ask for by global loads",
     {"smsp__sass_data_bytes_mem_global_op_ld.sum"}},
    {"async_requested_bytes",
     "bytes that lanes ask for by async copies to shared memory (cp.async)",
     {"smsp__sass_data_bytes_mem_global_op_ldgsts.sum"}},
    {"gst_transactions",
     "sectors of 32 bytes that global stores write",
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
    {"local_load_transactions",
     "sectors of 32 bytes that spilled registers are read from",
     {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"}},
    {"local_store_transactions",
     "sectors of 32 bytes that registers are spilled to",
     {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"}},
    {"shared_efficiency",
     "bytes asked for per byte that shared memory moves",
     {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"}},
    {"bank_conflicts",
     "extra cycles of shared memory because lanes access the same bank",
     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"}},
    {"bank_conflicts_load",
     "bank conflicts of loads",
     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
    {"bank_conflicts_store",
     "bank conflicts of stores",
     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
    {"bank_conflicts_atomic",
     "bank conflicts of atomics",
     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"}},
    {"atomic_utilization",
     "cycles in which L2 computes atomics, mean of its slices",
     {"lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed"}},
    {"atomic_hotspot",
     "the same for the busiest slice of L2",
     {"lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed"}},
    {"achieved_occupancy",
     "warps resident while the SM works, of the most it can hold",
     {"sm__warps_active.avg.pct_of_peak_sustained_active"}},
    {"sm_efficiency",
     "time in which an SM has a warp",
     {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed"}},
    {"stall_memory_dependency",
     "of a warp's time, waiting for global or local memory",
     {"smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct"}},
    {"ipc", "instructions of warps per cycle and SM", {"sm__inst_executed.avg.per_cycle_active"}},
    {"issue_slot_utilization",
     "cycles in which a scheduler issues",
     {"smsp__issue_active.avg.pct_of_peak_sustained_active"}},
    {"fma_pipe_utilization",
     "cycles in which the FMA pipe works",
     {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"}},
    {"inst_executed", "instructions of warps", {"smsp__inst_executed.sum"}},
    {"branch_efficiency",
     "branches in which all lanes go one way",
     {"smsp__sass_average_branch_targets_threads_uniform.pct"}},
    {"warp_execution_efficiency",
     "lanes at work per instruction, of 32",
     {"smsp__thread_inst_executed_per_inst_executed.pct"}},
    {"l1_utilization",
     "cycles in which L1 and shared memory move data",
     {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"}},
    {"texture_utilization",
     "cycles in which L1 reads and filters texels",
     {"l1tex__data_pipe_tex_wavefronts.avg.pct_of_peak_sustained_elapsed"}},
    {"tensor_pipe_utilization",
     "cycles in which tensor cores work",
     {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"}},
    {"alu_pipe_utilization",
     "instructions of the ALU pipe (integers, comparisons, bits), of its peak",
     {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"}},
    {"fp64_pipe_utilization",
     "instructions of the FP64 pipe, of its peak",
     {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"}},
    {"xu_pipe_utilization",
     "instructions of the pipe for special functions and conversions, of its peak",
     {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"}},
    {"lsu_pipe_utilization",
     "instructions of the load-store pipe (memory and shuffles), of its peak",
     {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"}},
};

}  // namespace

std::span<const FamiliarMetric> familiar_metrics() { return known_metrics; }

std::vector<std::string> default_metrics() {
  std::vector<std::string> names;
  for (const FamiliarMetric& each : known_metrics) names.emplace_back(each.name);
  return names;
}

bool is_patched_in(std::string_view name) {
  const FamiliarMetric* familiar = find_familiar(name);
  const std::string_view metric = familiar == nullptr ? name : familiar->metrics.front();
  return metric.find("__sass_") != std::string_view::npos;
}

std::vector<std::string> quick_metrics() {
  return {"duration",           "dram_throughput", "dram_bytes",
          "achieved_occupancy", "inst_executed",   "bank_conflicts"};
}

const FamiliarMetric* find_familiar(std::string_view name) {
  const auto found = std::find_if(known_metrics.begin(), known_metrics.end(),
                                  [&](const FamiliarMetric& each) { return each.name == name; });
  return found == known_metrics.end() ? nullptr : &*found;
}

}  // namespace gtune
