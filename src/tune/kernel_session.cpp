#include "tune/kernel_session.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gtune_version.hpp"
#include "jit/macro_overrides.hpp"
#include "jit/nvcc_toolchain.hpp"
#include "jit/nvrtc_library.hpp"
#include "model/error.hpp"
#include "system/environment_number.hpp"
#include "tune/compile_stage.hpp"
#include "tune/identity.hpp"
#include "tune/open_problem.hpp"
#include "tune/support_request.hpp"

namespace gtune {
namespace {

/// The time that a worker may need beyond a kernel's limit. A CUDA context and large buffers take
/// seconds even if kernels are fast. Tests of hanging workers use shorter limits.
WorkerLimits worker_limits(double launch_limit_ms) {
  constexpr std::int64_t hour = 3600000;
  const auto milliseconds = [](const char* name, std::int64_t otherwise) {
    return std::chrono::milliseconds(environment_number(name, 1, hour).value_or(otherwise));
  };
  const auto grace = milliseconds("GTUNE_WORKER_GRACE_MS",
                                  static_cast<std::int64_t>(std::max(launch_limit_ms, 10000.0)));
  WorkerLimits limits{grace * 12, grace * 30, grace * 30, grace};
  limits.patience = milliseconds("GTUNE_LINK_PATIENCE_MS", limits.patience.count());
  limits.silence = milliseconds("GTUNE_LINK_SILENCE_MS", limits.silence.count());
  return limits;
}

/// The properties that two devices must share for their times to be comparable.
std::string model_text(const DeviceFacts& device) {
  return device.name + ", sm_" + std::to_string(device.cc()) + ", " +
         std::to_string(device.sm_count) + " SMs, " + std::to_string(device.memory_bytes >> 20) +
         " MiB" + (device.replayed ? ", a recording" : "");
}

std::string toolchain_text(const HelloReply& hello) {
  const Toolchain live{hello.device.driver_version, hello.device.runtime_version, "", "", ""};
  const Toolchain toolchain = hello.recorded_toolchain.value_or(live);
  return "driver " + toolchain.driver + ", runtime " + toolchain.runtime +
         (toolchain.nvrtc.empty() ? "" : ", NVRTC " + toolchain.nvrtc);
}

std::string version_text(const HelloReply& hello) {
  if (!hello.recorded_kernel) return "";
  return hello.recorded_kernel->source_hash + " " + hello.recorded_kernel->spec_hash;
}

/// Throws UserError if a worker's measurements cannot be combined with the lead's.
void require_alike(WorkerPool& workers, const std::vector<HelloReply>& hellos, std::size_t other) {
  const std::string& lead = workers.lead().command.name;
  const std::string& name = workers.members()[other].command.name;
  const HelloReply& a = hellos[workers.lead_number()];
  const HelloReply& b = hellos[other];
  const auto refuse = [&](const std::string& why) {
    throw UserError(ExitCode::usage, lead + " and " + name + " cannot share a run: " + why);
  };
  const auto compare = [&](const std::string& mine, const std::string& others) {
    if (mine != others) {
      refuse("one has " + mine + ", the other " + others + "; tune on one after the other");
    }
  };
  compare(model_text(a.device), model_text(b.device));
  compare(toolchain_text(a), toolchain_text(b));
  if (version_text(a) != version_text(b)) refuse("they are recordings of two versions of a kernel");
  if (!a.device.replayed && a.device.uuid == b.device.uuid) refuse("they are the same GPU");
}

}  // namespace

KernelSession::KernelSession(const SessionOptions& options, const KernelSpec& spec,
                             RunObserver& observer, std::function<bool()> interrupted)
    : m_sources(spec),
      m_identity(identity_of(spec)),
      m_workers(options.workers,
                {worker_limits(options.launch_limit_ms), m_identity, options.if_gpu_held,
                 interrupted, options.connect},
                observer, m_wakeup, options.trace),
      m_recorded(options.workers.size()),
      m_measures_limits(options.measure_limits) {
  connect(options.trace);
  const DeviceFacts& device = m_workers.lead().device;
  const bool compiles = !device.replayed || options.compile_replays;
  if (compiles) require_no_override(spec, m_sources.of(spec.source), device.arch());
  if (!options.also.empty()) m_also.emplace(options.also, m_identity.name);
  // Opened after the devices and the source, so that a mistake there leaves no empty file.
  m_database.emplace(options.database, OpenMode::create);
  if (options.lock_gpus) lock_gpus(options, observer, interrupted);
  if (compiles) start_compilers(options, spec, observer);
  m_environment.emplace(make_environment(options, spec, observer, std::move(interrupted)));
}

void KernelSession::connect(Trace* trace) {
  const TunerSpan span(trace, "connect");
  m_hellos.resize(m_workers.members().size());
  m_workers.on_all([&](RestartingWorker& worker, WorkerPool::Member& member) {
    HelloReply hello = worker.connect();
    member.device = hello.device;
    member.measures_energy = hello.measures_energy;
    const auto number = static_cast<std::size_t>(&member - m_workers.members().data());
    m_recorded.set(number, std::exchange(hello.recorded_configs, {}));
    m_hellos[number] = std::move(hello);
  });
  for (std::size_t i = 0; i < m_hellos.size(); ++i) {
    if (!m_workers.members()[i].lane || i == m_workers.lead_number()) continue;
    require_alike(m_workers, m_hellos, i);
  }
}

void KernelSession::lock_gpus(const SessionOptions& options, RunObserver& observer,
                              const std::function<bool()>& interrupted) {
  std::vector<std::string> uuids;
  for (const WorkerPool::Member& member : m_workers.members()) {
    if (member.lane && !member.command.remote && !member.device.replayed)
      uuids.push_back(member.device.uuid);
  }
  // All runs lock GPUs in the same order, so they never deadlock.
  std::sort(uuids.begin(), uuids.end());
  for (const std::string& uuid : uuids) {
    m_locks.push_back(GpuLock::take(
        uuid, options.if_gpu_held, [&](const std::string& line) { observer.on_note(line); },
        interrupted));
  }
}

void KernelSession::start_compilers(const SessionOptions& options, const KernelSpec& spec,
                                    RunObserver& observer) {
  m_cache = std::make_unique<CubinCache>(CubinCacheOptions::from_environment());
  for (const std::string& note : {m_cache->refusal(), unknown_include_note(spec)}) {
    if (!note.empty()) observer.on_note(note);
  }
  for (const std::string& note : macro_notes(m_sources.of(spec.source), spec))
    observer.on_note(note);
  PoolOptions pool;
  if (options.threads > 0) pool.threads = options.threads;
  pool.compiler_command = {options.compiler_program, "compiler"};
  pool.cache = m_cache.get();
  pool.nvrtc_version = nvrtc_version();
  pool.on_finished = [this] { m_wakeup.ring(); };
  pool.on_compiled_ahead = [trace = options.trace](const FinishedCompile& finished,
                                                   const CompileRequest& request) {
    trace_compile(trace, finished,
                  request.entries.empty() ? request.source_name : request.entries.front());
  };
  m_pool = std::make_unique<CompilePool>(pool);
  const DeviceFacts& device = m_workers.lead().device;
  if (!device.replayed) m_pool->compile_ahead({support_request(device.arch())});
}

KernelIdentity KernelSession::measured_identity(RunObserver& observer) const {
  const std::optional<KernelIdentity>& recorded = m_hellos[m_workers.lead_number()].recorded_kernel;
  if (!recorded) return m_identity;
  if (recorded->name != m_identity.name) {
    throw UserError(ExitCode::usage,
                    "the recording is of " + recorded->name + ", not of " + m_identity.name);
  }
  if (recorded->source_hash != m_identity.source_hash ||
      recorded->spec_hash != m_identity.spec_hash) {
    observer.on_note("the recording was made with another version of " + m_identity.name +
                     "; configurations that it lacks are left out, and the results are stored as "
                     "those of that version");
  }
  // Stored under the recorded identity, not that of the present files.
  return *recorded;
}

Toolchain KernelSession::measured_toolchain(const KernelSpec& spec) const {
  const HelloReply& hello = m_hellos[m_workers.lead_number()];
  if (hello.recorded_toolchain) return *hello.recorded_toolchain;
  const DeviceFacts& device = m_workers.lead().device;
  return {device.driver_version, device.runtime_version,
          hello.recorded_kernel ? "" : compiler_release(spec.compiler), "", std::string(version)};
}

Environment KernelSession::make_environment(const SessionOptions& options, const KernelSpec& spec,
                                            RunObserver& observer,
                                            std::function<bool()> interrupted) {
  KernelIdentity identity = measured_identity(observer);
  Toolchain toolchain = measured_toolchain(spec);
  const ToolchainId toolchain_id = m_database->upsert_toolchain(toolchain);
  m_workers.on_each([&](WorkerPool::Member& member) {
    member.device_id = m_database->upsert_device(member.device);
    m_database->use_toolchain(member.device_id, toolchain_id);
  });
  const KernelId kernel_id = m_database->upsert_kernel(identity);
  m_database->refresh_views(identity);
  std::vector<PriorWinner> elsewhere = winners_elsewhere(options, identity, observer);
  return {.spec = spec,
          .sources = m_sources,
          .identity = std::move(identity),
          .toolchain = std::move(toolchain),
          .database = *m_database,
          .also = m_also ? &*m_also : nullptr,
          .winners_elsewhere = std::move(elsewhere),
          .toolchain_id = toolchain_id,
          .kernel_id = kernel_id,
          .workers = m_workers,
          .wakeup = m_wakeup,
          .trace = options.trace,
          .pool = m_pool.get(),
          .observer = observer,
          .interrupted = std::move(interrupted),
          .prepare_workers = [this] { prepare_workers(); },
          .recorded_configs = common_configs()};
}

std::vector<PriorWinner> KernelSession::winners_elsewhere(const SessionOptions& options,
                                                          const KernelIdentity& kernel,
                                                          RunObserver& observer) const {
  std::vector<PriorWinner> all = winners_of_other_sources(*m_database, kernel);
  const auto add = [&](std::vector<PriorWinner> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  };
  if (m_also) add(winners_of_other_sources(m_also->database(), kernel));
  if (options.bundled) add(bundled_winners(*options.bundled, kernel, observer));
  return all;
}

std::vector<Config> KernelSession::common_configs() const {
  std::vector<std::size_t> workers = {m_workers.lead_number()};
  for (std::size_t i = 0; i < m_workers.members().size(); ++i) {
    if (m_workers.members()[i].lane && i != workers.front()) workers.push_back(i);
  }
  return m_recorded.common(workers);
}

void KernelSession::prepare_workers() {
  if (std::exchange(m_prepared, true)) return;
  const Environment& env = *m_environment;
  const TunerSpan span(env.trace, "prepare");
  Prepare request;
  if (!env.device().replayed) {
    CompileResult compiled =
        compile_now(*env.pool, env.interrupted, support_request(env.device().arch()));
    if (!compiled.ok) {
      throw UserError(ExitCode::failed, "gtune's own kernels: " + compiled.reason);
    }
    request.support_cubin = std::move(compiled.cubin);
  }
  m_workers.on_each([&](WorkerPool::Member& member) {
    member.device.limits = m_database->device_limits(member.device_id);
  });
  m_workers.on_all([&](RestartingWorker& worker, WorkerPool::Member& member) {
    Prepare own = request;
    own.measure_limits = m_measures_limits && !member.device.has_all_limits();
    const PrepareReply reply = worker.ask(std::move(own));
    if (reply.limits.any()) member.device.limits = reply.limits;
  });
  m_workers.on_each([&](WorkerPool::Member& member) {
    member.device_id = m_database->upsert_device(member.device);
  });
}

}  // namespace gtune
