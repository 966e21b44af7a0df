#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jit/compile_pool.hpp"
#include "jit/kernel_request.hpp"
#include "model/case.hpp"
#include "model/kernel_identity.hpp"
#include "model/objective.hpp"
#include "search/strategy.hpp"
#include "spec/kernel_spec.hpp"
#include "store/database.hpp"
#include "tune/budget.hpp"
#include "tune/observer.hpp"
#include "tune/prior_winners.hpp"
#include "tune/trace.hpp"
#include "tune/wakeup.hpp"
#include "tune/worker_pool.hpp"

namespace gtune {

class AlsoResults;

/// The measurements for which hardware metrics are taken: none; the finalists and the baselines;
/// these and, for metrics of a single pass, every valid configuration not discarded early.
enum class ProfileScope { off, top, all };

struct ProfileSettings {
  ProfileScope scope = ProfileScope::top;
  std::vector<std::string> metrics;  // in addition to the default ones
  bool energy = false;               // also the energy of the finalists and the baselines
  bool lines = false;                // also their source lines
};

/// The user's settings for a run.
struct RunSettings {
  std::string strategy{default_strategy};
  Budget budget;
  Objective objective = Objective::time;  // by which the finalists are ranked; the search: by time
  std::uint64_t seed = 1;
  TimingMode mode = {};
  bool fresh = false;              // measure stored configurations again
  double launch_limit_ms = 10000;  // longest time of a launch
  int finalists = 5;               // minimum number, and the number reported
  double finalist_margin = 1.08;   // a finalist takes at most this times the best time
  bool discard_early = true;
  ProfileSettings profile;
  std::string command_line;
};

/// Everything that the runs of one command share. It does not change during the runs, except that
/// the pool may change the lead.
struct Environment {
  const KernelSpec& spec;
  const KernelSources& sources;
  KernelIdentity identity;
  Toolchain toolchain;
  Database& database;
  AlsoResults* also;                           // null: no --also
  std::vector<PriorWinner> winners_elsewhere;  // of other sources, and bundled ones
  ToolchainId toolchain_id;
  KernelId kernel_id;
  WorkerPool& workers;
  Wakeup& wakeup;     // rung by compilers and workers
  Trace* trace;       // null: no trace is recorded
  CompilePool* pool;  // null: recorded measurements need no compiling
  RunObserver& observer;
  std::function<bool()> interrupted;
  std::function<void()> prepare_workers;  // before the first problem is opened; once
  std::vector<Config> recorded_configs;   // those that all replayed recordings have

  /// The lead's device.
  [[nodiscard]] const DeviceFacts& device() const { return workers.lead().device; }
  /// The key of the lead's measurements of a problem.
  [[nodiscard]] MeasurementKey key(ProblemId problem, const TimingMode& mode) const {
    return {workers.lead().device_id, toolchain_id, kernel_id, problem, mode};
  }

  /// Whether one worker replays a recording. Results are then handled in the order of requests, so
  /// that a seed determines the output.
  [[nodiscard]] bool reproducible() const {
    return device().replayed && workers.members().size() == 1;
  }

  /// A case on the lead. Refers to `problem` and `config`.
  [[nodiscard]] Case case_on_lead(const Problem& problem, const Config& config) const {
    return {problem, config, device()};
  }

  /// The compile request for steps in the spec's source.
  [[nodiscard]] KernelRequest request(const std::vector<StepSpec>& steps, const Case& of) const {
    return kernel_request(sources.of(spec.source), spec, steps, of);
  }
  /// The spec must have a reference.
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
