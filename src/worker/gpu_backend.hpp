#pragma once

#include <memory>
#include <optional>

#include "gpu/energy_counter.hpp"
#include "gpu/nvml.hpp"
#include "gpu/stream.hpp"
#include "gpu/support_kernels.hpp"
#include "measure/problem_buffers.hpp"
#include "measure/sampling.hpp"
#include "worker/backend.hpp"
#include "worker/gpu_lock.hpp"

namespace gtune {

/// A worker on a GPU: the only code of gtune that creates a CUDA context.
class GpuBackend : public WorkerBackend {
 public:
  explicit GpuBackend(int device_index);
  ~GpuBackend() override;

  /// Looks at the device without creating a context on it.
  HelloReply answer(const Hello& request) override;
  PrepareReply answer(const Prepare& request) override;
  OpenProblemReply answer(const OpenProblem& request) override;
  MeasureReply answer(const Measure& request) override;
  ProfileReply answer(const Profile& request) override;
  MeasureEnergyReply answer(const MeasureEnergy& request) override;
  SampleLinesReply answer(const SampleLines& request) override;

 private:
  struct Context;   // everything that lives in the context
  class KernelRun;  // loads, checks and times one configuration

  /// Throws UserError if no problem is open.
  Context& open_context() const;
  /// Tries each entry on the reference's result.
  static void open_compares(const OpenProblem& request, Context& context);
  static std::unique_ptr<SampleSource> make_sampler(const Measure& request, Context& context,
                                                    KernelRun& run);
  static void check_and_time(const Measure& request, Context& context, KernelRun& run,
                             MeasureReply& reply);

  int m_device_index;
  DeviceFacts m_facts;
  std::unique_ptr<GpuLock> m_lock;  // held here for a tuner on another machine
  std::unique_ptr<Context> m_context;
};

}  // namespace gtune
