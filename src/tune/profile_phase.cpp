#include "tune/profile_phase.hpp"

#include <algorithm>

#include "model/step_metrics.hpp"
#include "profile/familiar_metrics.hpp"
#include "tune/compile_stage.hpp"
#include "tune/finalists_and_baselines.hpp"
#include "tune/open_problem.hpp"
#include "tune/profiler.hpp"

namespace gtune {
namespace {

/// A longer kernel would take most of a second for metrics that are patched into it.
constexpr double most_patched_ms = 3;
/// Compiled kernels kept ready, in addition to one for each compiler.
constexpr std::size_t cubins_beyond_threads = 4;

/// Metrics of one kernel to take together, or to skip for a reason.
struct Job {
  StoredMeasurement stored;
  std::vector<std::string> metrics;
  std::string skipped;
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The union of `names` and `more`.
std::vector<std::string> joined(std::vector<std::string> names,
                                const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (!has(names, name)) names.push_back(name);
  }
  return names;
}

enum class Counted { by_hardware, patched_in };

std::vector<std::string> only(std::vector<std::string> names, Counted counted) {
  std::erase_if(names, [&](const std::string& name) {
    return is_patched_in(name) != (counted == Counted::patched_in);
  });
  return names;
}

/// Adds a metric without a value if it is missing.
void complete(std::vector<Metric>& metrics, const std::string& name, const std::string& reason) {
  const bool had = std::any_of(metrics.begin(), metrics.end(),
                               [&](const Metric& metric) { return metric.name == name; });
  if (!had) metrics.push_back({name, std::nullopt, "", reason});
}

class ProfilePhase {
 public:
  explicit ProfilePhase(ProblemState& state)
      : m_state(state), m_env(state.environment), m_profiler(state) {}

  void run() {
    find_jobs();
    for (const Job& job : m_jobs) {
      if (m_env.interrupted()) throw Interrupted();
      m_state.report("profile");
      profile(job);
    }
  }

 private:
  /// Patched metrics come last: after patching, CUPTI needs a third of a second for every kernel
  /// that is loaded.
  void find_jobs() {
    const std::vector<std::string>& asked = m_state.settings.profile.metrics;
    const std::vector<StoredMeasurement> top = finalists_and_baselines(m_state);
    const std::vector<StoredMeasurement> others = of_the_search();
    for (const auto& each : top)
      add(each, only(joined(default_metrics(), asked), Counted::by_hardware));
    m_submitted = m_jobs.size();
    for (const auto& each : others)
      add(each, only(joined(quick_metrics(), asked), Counted::by_hardware));
    for (const auto& each : others) add(each, only(asked, Counted::patched_in));
    m_ahead_end = m_jobs.size();
    for (const auto& each : top) add_patched_in(each);
  }
  /// The measurements that only --profile all covers.
  std::vector<StoredMeasurement> of_the_search() const {
    if (m_state.settings.profile.scope != ProfileScope::all) return {};
    auto found = m_env.database.load_measurements(m_state.key(), Phase::search);
    std::erase_if(found, [&](const StoredMeasurement& each) {
      const Measurement& measured = each.measurement;
      return !measured.ok() || measured.timing->discarded_early ||
             !m_state.space.index_of(measured.config);  // outside the narrowed space
    });
    return found;
  }
  void add_patched_in(const StoredMeasurement& stored) {
    const std::vector<std::string> asked =
        only(m_state.settings.profile.metrics, Counted::patched_in);
    std::vector<std::string> rest = only(default_metrics(), Counted::patched_in);
    const std::string reason = why_not_patched(stored);
    if (reason.empty()) return add(stored, joined(rest, asked));
    std::erase_if(rest, [&](const std::string& name) { return has(asked, name); });
    add(stored, asked);
    add(stored, rest, reason);
  }
  /// Why metrics are not patched in; empty if they are worth the time.
  [[nodiscard]] std::string why_not_patched(const StoredMeasurement& stored) const {
    if (m_env.device().replayed) return "";
    if (stored.measurement.timing->median_ms > most_patched_ms) {
      return "not taken, since counting it takes long for a kernel of this duration: --metrics "
             "NAME takes it";
    }
    const auto result = m_env.database.load_result(m_state.run);
    const bool is_winner = result && result->winner.id == stored.id;
    if (is_winner || stored.measurement.phase == Phase::baseline) return "";
    return "taken only of the baselines and of what won the run, which this did not: --metrics "
           "NAME takes it of all finalists";
  }
  /// Adds a job for the metrics that are not known yet.
  void add(const StoredMeasurement& stored, const std::vector<std::string>& names,
           const std::string& skipped = "") {
    const std::vector<Metric> known = m_env.database.load_metrics(stored.id);
    Job job{stored, {}, skipped};
    for (const std::string& name : names) {
      if (!is_settled(known, name)) job.metrics.push_back(name);
    }
    if (!job.metrics.empty()) m_jobs.push_back(std::move(job));
  }
  /// A metric without a value is not settled if the user asks for it or if all metrics failed,
  /// since permissions may have changed. A recording does not change.
  [[nodiscard]] bool is_settled(const std::vector<Metric>& known, const std::string& name) const {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Metric& metric) { return metric.name == name; });
    if (found == known.end()) return false;
    if (found->value || m_env.device().replayed) return true;
    const bool any = std::any_of(known.begin(), known.end(), [](const Metric& metric) {
      return metric.value.has_value() && !is_step_metric(metric);
    });
    return any && !has(m_state.settings.profile.metrics, name);
  }

  void profile(const Job& job) {
    ProfileReply reply;
    const bool patches = is_patched_in(job.metrics.front());  // a job has only one kind
    reply.reason = patches && job.skipped.empty() ? m_why_unpatched : job.skipped;
    if (reply.reason.empty()) {
      reply = ask(job);
      // CUPTI's patching has crashed with some kernels. The first crash disables it for this run.
      if (patches && reply.worker_lost) m_why_unpatched = reply.reason;
    }
    for (const std::string& name : job.metrics) complete(reply.metrics, name, reply.reason);
    m_env.database.insert_metrics(job.stored.id, reply.metrics);
  }

  ProfileReply ask(const Job& job) {
    return m_profiler.take(
        job.stored.measurement, job.metrics, [&]() -> auto& { return compile(job.stored); });
  }
  /// Absent if nothing is compiled. Keeps the last result, since the winner may be requested twice
  /// in a row, and compiles ahead while one configuration is profiled.
  const std::optional<CompileResult>& compile(const StoredMeasurement& stored) {
    if (m_env.pool == nullptr || m_compiled_of == stored.id) return m_compiled;
    m_compiled_of = stored.id;
    const Config& config = stored.measurement.config;
    m_compiled = stored.measurement.phase == Phase::search
                     ? compiled_ahead(stored.id)
                     : compile_now(*m_env.pool, m_env.interrupted,
                                   m_env.request(m_env.spec.steps,
                                                 m_env.case_on_lead(m_state.problem, config)));
    return m_compiled;
  }
  std::optional<CompileResult> compiled_ahead(MeasurementId id) {
    // Not created earlier: compile_now() discards results that the stage waits for.
    if (!m_ahead) m_ahead.emplace(m_env, m_state.problem, CompileStage::Order::as_submitted);
    const std::size_t most = m_env.pool->threads() + cubins_beyond_threads;
    for (;;) {
      if (m_env.interrupted()) throw Interrupted();
      for (; m_submitted < m_ahead_end && m_ahead->under_way() < most; ++m_submitted) {
        m_ahead->submit(m_submitted, m_jobs[m_submitted].stored.measurement.config);
      }
      auto next = m_ahead->next(std::chrono::milliseconds(100));
      if (next && m_jobs[next->index].stored.id == id) return std::move(next->compiled);
    }
  }

  ProblemState& m_state;
  const Environment& m_env;
  Profiler m_profiler;
  std::vector<Job> m_jobs;
  std::size_t m_submitted = 0;  // jobs before this one are done or compiled ahead
  std::size_t m_ahead_end = 0;  // one past the last job that is compiled ahead
  std::optional<CompileStage> m_ahead;
  std::optional<MeasurementId> m_compiled_of;  // the measurement that m_compiled belongs to
  std::optional<CompileResult> m_compiled;
  std::string m_why_unpatched;  // why patching is disabled; empty: it is enabled
};

}  // namespace

void run_profile(ProblemState& state) {
  if (state.settings.profile.scope != ProfileScope::off) ProfilePhase(state).run();
}

}  // namespace gtune
