#include "tune/session.hpp"

#include <algorithm>
#include <cstdlib>

#include "gpu/support_kernels.hpp"
#include "gtune_version.hpp"
#include "jit/nvrtc_library.hpp"
#include "model/error.hpp"
#include "tune/identity.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// What a worker may need beyond a kernel's own limit. A CUDA context and large buffers take
/// their seconds, however fast the kernels have to be. Tests of hanging workers wait for less.
WorkerLimits worker_limits(double launch_limit_ms) {
  const char* shorter = std::getenv("GTUNE_WORKER_GRACE_MS");
  const double ms = shorter != nullptr ? std::atof(shorter) : std::max(launch_limit_ms, 10000.0);
  const std::chrono::milliseconds grace(static_cast<std::int64_t>(ms));
  return {grace * 12, grace * 30, grace * 30, grace};
}

}  // namespace

Session::Session(const SessionOptions& options, const KernelSpec& spec, RunObserver& observer,
                 std::function<bool()> interrupted)
    : m_source(spec.source),
      m_worker(WorkerClient(options.worker_command, worker_limits(options.launch_limit_ms),
                            interrupted)) {
  const HelloReply hello = m_worker.connect();
  // After the device: a mistake there leaves no empty file behind.
  m_database.emplace(options.database, OpenMode::create);
  m_environment.emplace(Environment{spec,
                                    m_source,
                                    {},
                                    {},
                                    hello.device,
                                    *m_database,
                                    {},
                                    {},
                                    {},
                                    m_worker,
                                    nullptr,
                                    observer,
                                    std::move(interrupted),
                                    hello.recorded_configs});
  if (!hello.device.replayed) {
    m_lock = std::make_unique<GpuLock>(
        hello.device.uuid, options.if_gpu_held,
        [&](const std::string& line) { observer.on_note(line); }, m_environment->interrupted);
  }
  if (options.compile) start_compilers(options);
  identify(hello, spec);
  prepare_worker();
}

void Session::start_compilers(const SessionOptions& options) {
  m_cache = std::make_unique<CubinCache>(CubinCacheOptions::from_environment());
  PoolOptions pool;
  if (options.threads > 0) pool.threads = options.threads;
  pool.compiler_command = {options.compiler_program, "compiler"};
  pool.cache = m_cache.get();
  pool.nvrtc_version = nvrtc_version();
  m_pool = std::make_unique<CompilePool>(pool);
  m_environment->pool = m_pool.get();
}

void Session::identify(const HelloReply& hello, const KernelSpec& spec) {
  Environment& env = *m_environment;
  env.identity = identity_of(spec);
  env.toolchain = {env.device.driver_version, env.device.runtime_version, "", "",
                   std::string(version)};
  if (hello.recorded_kernel) {
    if (hello.recorded_kernel->name != spec.name) {
      throw UserError(ExitCode::usage, "the recording is of " + hello.recorded_kernel->name +
                                           ", not of " + spec.name);
    }
    if (hello.recorded_kernel->source_hash != env.identity.source_hash ||
        hello.recorded_kernel->spec_hash != env.identity.spec_hash) {
      env.observer.on_note("the recording was made with another version of " + spec.name +
                           "; what it does not hold is left out");
    }
    // Stored as what was measured, not as what the files say today.
    env.identity = *hello.recorded_kernel;
    if (hello.recorded_toolchain) env.toolchain = *hello.recorded_toolchain;
  } else {
    env.toolchain.nvrtc = nvrtc_version();
  }
  env.device_id = m_database->upsert_device(env.device);
  env.toolchain_id = m_database->upsert_toolchain(env.toolchain);
  m_database->use_toolchain(env.device_id, env.toolchain_id);
  env.kernel_id = m_database->upsert_kernel(env.identity);
  m_database->refresh_views(env.identity);
}

void Session::prepare_worker() {
  Environment& env = *m_environment;
  Prepare request;
  const DeviceLimits known = m_database->device_limits(env.device_id);
  env.device.fma_tflops = known.fma_tflops;
  env.device.dram_gbps = known.dram_gbps;
  request.measure_limits = !known.fma_tflops || !known.dram_gbps;
  if (!env.device.replayed) {
    const KernelSource support(support_source(), "device_support.cu");
    CompileResult compiled = compile_now(*env.pool, env.interrupted,
                                         support.request("gtune_fill", {}, env.device.arch()));
    if (!compiled.ok) {
      throw UserError(ExitCode::failed, "gtune's own kernels: " + compiled.reason);
    }
    request.support_cubin = std::move(compiled.cubin);
  }
  const PrepareReply reply = m_worker.prepare(request);
  if (!reply.fma_tflops && !reply.dram_gbps) return;
  env.device.fma_tflops = reply.fma_tflops;
  env.device.dram_gbps = reply.dram_gbps;
  env.device_id = m_database->upsert_device(env.device);
}

}  // namespace gtune
