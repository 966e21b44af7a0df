#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accuracy.hpp"
#include "gpu/buffer.hpp"
#include "gpu/nvml.hpp"
#include "gpu/stream.hpp"
#include "gpu/support_kernels.hpp"
#include "jit/compile_pool.hpp"
#include "model/device_facts.hpp"
#include "random_inputs.hpp"
#include "spec/kernel_spec.hpp"
#include "vendor.hpp"

namespace gtune::bench {

/// One side of a duel: the median of its samples, ours and a rival's in turn.
struct Side {
  std::string name;
  double median_ms = 0;
  std::optional<double> sm_clock_mhz;
  std::optional<double> max_error;  // share of the spec's tolerance against the reference
};

/// Our kernel in one configuration beside the vendor's, on the same buffers of device 0.
class Arena {
 public:
  /// `program`: gtune, which compiles.
  Arena(const KernelSpec& spec, const std::string& program);

  [[nodiscard]] const DeviceFacts& device() const { return m_device; }
  /// Ours first. Throws UserError where ours does not compile or is wrong.
  [[nodiscard]] std::vector<Side> duel(const Problem& problem, const Config& config);
  /// Of matrix products with sizes M, N, K and buffers A, B, C, dense and row-major.
  [[nodiscard]] std::vector<Accuracy> accuracy(const Problem& problem, const Config& config,
                                               Inputs inputs);

  /// Likewise.
  [[nodiscard]] std::vector<SpecialCase> special_cases(const Problem& problem,
                                                       const Config& config);

 private:
  struct Contest;

  [[nodiscard]] CompileResult compiled(KernelRequest request);

  const KernelSpec& m_spec;
  CubinCache m_cache;
  CompilePool m_pool;
  DeviceFacts m_device;
  Stream m_stream;
  SupportKernels m_support;
  DeviceBuffer m_flush;
  ClockMonitor m_clock;
  Vendor m_vendor;
};

}  // namespace gtune::bench
