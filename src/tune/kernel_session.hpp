#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jit/compile_pool.hpp"
#include "jit/cubin_cache.hpp"
#include "store/database.hpp"
#include "tune/also_results.hpp"
#include "tune/environment.hpp"
#include "tune/recorded_configs.hpp"
#include "worker/gpu_lock.hpp"

namespace gtune {

/// How a command reaches its devices, compilers and database.
struct SessionOptions {
  std::vector<WorkerCommand> workers;
  std::string compiler_program;  // this program, which is also the compiler process
  std::filesystem::path database;
  std::vector<std::filesystem::path> also;       // databases that are only read
  std::optional<std::filesystem::path> bundled;  // whose winners suggest what to measure first
  bool compile_replays = false;                  // false: recordings are replayed without compiling
  std::size_t threads = 0;                       // compilers; 0: one per core
  double launch_limit_ms = 10000;
  IfHeld if_gpu_held = IfHeld::wait;
  bool lock_gpus = true;       // false: another session of this process holds them
  bool measure_limits = true;  // of a device whose limits the database lacks
  Trace* trace = nullptr;      // may be null
  Connector connect = connect_to_process;
};

/// A database, workers and compilers, ready to run problems of one kernel. Ends its processes when
/// it is destroyed.
class KernelSession {
 public:
  /// Throws UserError, or Interrupted while it waits for the GPU.
  KernelSession(const SessionOptions& options, const KernelSpec& spec, RunObserver& observer,
                std::function<bool()> interrupted);

  [[nodiscard]] const Environment& environment() const { return *m_environment; }

 private:
  void connect(Trace* trace);
  void lock_gpus(const SessionOptions& options, RunObserver& observer,
                 const std::function<bool()>& interrupted);
  void start_compilers(const SessionOptions& options, const KernelSpec& spec,
                       RunObserver& observer);
  /// The kernel that is measured. Adds a note if it differs from the present files.
  [[nodiscard]] KernelIdentity measured_identity(RunObserver& observer) const;
  [[nodiscard]] Toolchain measured_toolchain(const KernelSpec& spec) const;
  /// Also enters kernel, toolchain and devices into the database.
  [[nodiscard]] Environment make_environment(const SessionOptions& options, const KernelSpec& spec,
                                             RunObserver& observer,
                                             std::function<bool()> interrupted);
  /// What searches may begin with, apart from runs of this source and spec.
  [[nodiscard]] std::vector<PriorWinner> winners_elsewhere(const SessionOptions& options,
                                                           const KernelIdentity& kernel,
                                                           RunObserver& observer) const;
  /// The configurations that the recordings of all workers have.
  [[nodiscard]] std::vector<Config> common_configs() const;
  /// Once. Waits until the worker's own kernels are compiled.
  void prepare_workers();

  KernelSources m_sources;
  KernelIdentity m_identity;  // of the present files
  Wakeup m_wakeup;
  std::vector<std::unique_ptr<GpuLock>> m_locks;  // released after the workers have ended
  WorkerPool m_workers;
  std::vector<HelloReply> m_hellos;  // by pool member, without configurations; may be empty
  RecordedConfigs m_recorded;
  std::optional<AlsoResults> m_also;
  std::optional<Database> m_database;
  std::unique_ptr<CubinCache> m_cache;
  std::unique_ptr<CompilePool> m_pool;
  bool m_measures_limits;
  bool m_prepared = false;
  std::optional<const Environment> m_environment;
};

}  // namespace gtune
