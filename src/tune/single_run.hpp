#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jit/cubin_cache.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A kernel to launch in this process with the same buffers as in tuning.
struct SingleRun {
  const KernelSpec& spec;
  DeviceFacts device;
  int device_index = 0;
  Problem problem;
  Config config;
  const Baseline* baseline = nullptr;  // launched instead; `config` includes its values
  std::uint64_t seed = 1;
  int launches = 1;
  bool flush_l2 = false;

  [[nodiscard]] Case launched() const { return {problem, config, device}; }
};

/// Compiles the kernel, or takes it from the cache, and launches it between cudaProfilerStart and
/// cudaProfilerStop. The only other kernels in the process are gtune's own, called gtune_*. Returns
/// each launch's time in ms. `compiler_command`: argv of a compiler process. Throws UserError or
/// Interrupted.
[[nodiscard]] std::vector<double> run_alone(const SingleRun& run, CubinCache& cache,
                                            const std::vector<std::string>& compiler_command,
                                            const std::function<bool()>& interrupted);

}  // namespace gtune
