#pragma once

#include <functional>
#include <string>

#include "jit/compile_pool.hpp"
#include "jit/kernel_request.hpp"
#include "model/case.hpp"
#include "model/kernel_identity.hpp"
#include "search/strategy.hpp"
#include "spec/kernel_spec.hpp"
#include "store/database.hpp"
#include "tune/budget.hpp"
#include "tune/observer.hpp"
#include "tune/trace.hpp"
#include "tune/wakeup.hpp"
#include "tune/worker_pool.hpp"

namespace gtune {

/// Of what hardware metrics are taken: of nothing; of the finalists and the baselines; of these
/// and, those that take one pass, of every valid configuration that was not discarded early.
enum class ProfileScope { off, top, all };

struct ProfileSettings {
  ProfileScope scope = ProfileScope::top;
  std::vector<std::string> metrics;  // beside the default ones
};

/// What the user chose for a run.
struct RunSettings {
  std::string strategy{default_strategy};
  Budget budget;
  std::uint64_t seed = 1;
  bool flush_l2 = true;
  bool fresh = false;              // measure again what is stored
  double launch_limit_ms = 10000;  // no launch may take longer
  int finalists = 5;               // at least, and as many are reported
  double finalist_margin = 1.08;   // slower than this times the best: no finalist
  bool discard_early = true;
  ProfileSettings profile;
  std::string command_line;
};

/// Everything that the runs of one command share. It does not change during the runs; only the pool
/// knows which worker leads.
struct Environment {
  const KernelSpec& spec;
  const KernelSources& sources;
  KernelIdentity identity;
  Toolchain toolchain;
  Database& database;
  ToolchainId toolchain_id;
  KernelId kernel_id;
  WorkerPool& workers;
  Wakeup& wakeup;     // rung by compilers and workers
  Trace* trace;       // null: nobody wants one
  CompilePool* pool;  // null: recorded measurements need no compiling
  RunObserver& observer;
  std::function<bool()> interrupted;
  std::vector<Config> recorded_configs;  // of a replayed device: all that can be asked for

  /// The lead's.
  [[nodiscard]] const DeviceFacts& device() const { return workers.lead().device; }
  /// Under which the lead's measurements of a problem are stored.
  [[nodiscard]] MeasurementKey key(ProblemId problem, bool l2_flushed) const {
    return {workers.lead().device_id, toolchain_id, kernel_id, problem, l2_flushed};
  }

  /// One worker on a recording: as asked for, not as compiled or measured, so that a seed fixes the
  /// output.
  [[nodiscard]] bool reproducible() const {
    return device().replayed && workers.members().size() == 1;
  }

  /// A case on the lead. Refers to both.
  [[nodiscard]] Case case_on_lead(const Problem& problem, const Config& config) const {
    return {problem, config, device()};
  }

  /// What to compile for steps over the spec's source.
  [[nodiscard]] KernelRequest request(const std::vector<StepSpec>& steps, const Case& of) const {
    return kernel_request(sources.of(spec.source), spec, steps, of);
  }
  /// Of a spec that has a reference.
  [[nodiscard]] KernelRequest reference_request(const Case& of) const {
    if (spec.check.reference->on_host()) return host_reference_request(spec, of);
    const ReferenceSpec& reference = *spec.check.reference;
    return kernel_request(sources.of(reference.source), spec, reference.steps, of);
  }
  [[nodiscard]] KernelRequest compare_request(const CompareSpec& compare, const Case& of) const {
    return kernel_request(sources.of(compare.source), spec, compare.steps, of);
  }
};

}  // namespace gtune
