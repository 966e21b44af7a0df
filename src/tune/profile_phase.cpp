#include "tune/profile_phase.hpp"

#include <algorithm>

#include "model/step_metrics.hpp"
#include "profile/familiar_metrics.hpp"
#include "tune/compile_stage.hpp"
#include "tune/finalists_and_baselines.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// A longer kernel would take most of a second for metrics that are patched into it.
constexpr double most_patched_ms = 3;
/// Compiled kernels kept ready, in addition to one for each compiler.
constexpr std::size_t cubins_beyond_threads = 4;

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

}  // namespace

ProfilePhase::ProfilePhase(ProblemState& state, MetricTakers& takers)
    : m_state(state), m_env(state.environment), m_takers(takers), m_relaunch(state) {}

void ProfilePhase::take_counted() {
  if (is_off()) return;
  const std::vector<std::string>& asked = m_state.settings.profile.metrics;
  for (const auto& each : finalists_and_baselines(m_state)) {
    add(each, only(joined(default_metrics(), asked), Counted::by_hardware));
  }
  m_submitted = m_jobs.size();
  for (const auto& each : of_the_search()) {
    add(each, only(joined(quick_metrics(), asked), Counted::by_hardware));
  }
  m_ahead_end = m_jobs.size();
  take_jobs();
}

void ProfilePhase::take_patched() {
  if (is_off()) return;
  const std::vector<std::string>& asked = m_state.settings.profile.metrics;
  m_submitted = 0;
  for (const auto& each : of_the_search()) add(each, only(asked, Counted::patched_in));
  m_ahead_end = m_jobs.size();
  for (const auto& each : finalists_and_baselines(m_state)) add_patched(each);
  take_jobs();
}

bool ProfilePhase::is_off() const { return m_state.settings.profile.scope == ProfileScope::off; }

/// The measurements that only --profile all covers.
std::vector<StoredMeasurement> ProfilePhase::of_the_search() const {
  if (m_state.settings.profile.scope != ProfileScope::all) return {};
  auto found = m_env.database.load_measurements(m_state.key(), Phase::search);
  std::erase_if(found, [&](const StoredMeasurement& each) {
    const Measurement& measured = each.measurement;
    return !measured.ok() || measured.timing->discarded_early ||
           !m_state.space.index_of(measured.config);  // outside the narrowed space
  });
  return found;
}

/// Adds a job for the metrics that are not known yet.
void ProfilePhase::add(const StoredMeasurement& stored, const std::vector<std::string>& names,
                       const std::string& skipped) {
  const std::vector<Metric> known = m_env.database.load_metrics(stored.id);
  Job job{stored, {}, skipped};
  for (const std::string& name : names) {
    if (!is_settled(known, name)) job.metrics.push_back(name);
  }
  if (!job.metrics.empty()) m_jobs.push_back(std::move(job));
}

void ProfilePhase::add_patched(const StoredMeasurement& stored) {
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
std::string ProfilePhase::why_not_patched(const StoredMeasurement& stored) const {
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

/// A metric without a value is not settled if the user asks for it or if all metrics failed,
/// since permissions may have changed. A recording does not change.
bool ProfilePhase::is_settled(const std::vector<Metric>& known, const std::string& name) const {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  if (found == known.end()) return false;
  if (found->value || m_env.device().replayed) return true;
  const bool any = std::any_of(known.begin(), known.end(), [](const Metric& metric) {
    return metric.value.has_value() && !is_step_metric(metric);
  });
  return any && !has(m_state.settings.profile.metrics, name);
}

void ProfilePhase::take_jobs() {
  for (const Job& job : m_jobs) {
    if (m_env.interrupted()) throw Interrupted();
    m_state.report("profile");
    profile(job);
  }
  m_jobs.clear();
  m_ahead.reset();
}

void ProfilePhase::profile(const Job& job) {
  ProfileReply reply;
  reply.reason = job.skipped;
  if (reply.reason.empty()) reply = ask(job);
  for (const std::string& name : job.metrics) complete(reply.metrics, name, reply.reason);
  m_env.database.insert_metrics(job.stored.id, reply.metrics);
}

ProfileReply ProfilePhase::ask(const Job& job) {
  const auto find_run = [&](std::string& reason) -> std::optional<Measure> {
    if (!m_takers.opened.open(m_state, reason)) return std::nullopt;
    return m_relaunch.request_of(
        job.stored.measurement, [&]() -> auto& { return compile(job.stored); }, reason);
  };
  return m_takers.profiler.take(find_run, job.metrics);
}

/// Absent if nothing is compiled. Keeps the last result, since the winner may be requested twice
/// in a row, and compiles ahead while one configuration is profiled.
const std::optional<CompileResult>& ProfilePhase::compile(const StoredMeasurement& stored) {
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

std::optional<CompileResult> ProfilePhase::compiled_ahead(MeasurementId id) {
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

}  // namespace gtune
