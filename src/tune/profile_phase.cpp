#include "tune/profile_phase.hpp"

#include <algorithm>

#include "model/error.hpp"
#include "profile/familiar_metrics.hpp"
#include "spec/evaluate.hpp"
#include "tune/baseline_phase.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// A kernel or two may upset CUPTI; more than that, and CUPTI itself does not work here.
constexpr int most_workers_lost = 2;

struct Target {
  StoredMeasurement stored;
  const std::vector<std::string>* metrics;
};

std::vector<std::string> with(std::vector<std::string> names,
                              const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

class ProfilePhase {
 public:
  explicit ProfilePhase(ProblemState& state)
      : m_state(state),
        m_env(state.environment),
        m_all(with(default_metrics(), state.settings.profile.metrics)),
        m_quick(with(quick_metrics(), state.settings.profile.metrics)) {}

  void run() {
    for (const Target& target : find_targets()) {
      if (m_env.interrupted()) throw Interrupted();
      m_state.report("profile");
      profile(target);
    }
  }

 private:
  [[nodiscard]] std::vector<Target> find_targets() const {
    std::vector<Target> targets;
    const auto add = [&](std::vector<StoredMeasurement> found,
                         const std::vector<std::string>& metrics) {
      for (StoredMeasurement& stored : found) {
        if (!stored.measurement.ok() || has_metrics(stored.id, metrics)) continue;
        targets.push_back({std::move(stored), &metrics});
      }
    };
    add(m_env.database.load_finalists(m_state.run), m_all);
    add(m_env.database.load_measurements(m_state.key, Phase::baseline), m_all);
    if (m_state.settings.profile.scope == ProfileScope::all) {
      auto searched = m_env.database.load_measurements(m_state.key, Phase::search);
      std::erase_if(searched, [](const StoredMeasurement& stored) {
        return stored.measurement.ok() && stored.measurement.timing->discarded_early;
      });
      add(std::move(searched), m_quick);
    }
    return targets;
  }
  /// Where all failed, what was missing may have been allowed since; a recording stays as it is.
  [[nodiscard]] bool has_metrics(MeasurementId id, const std::vector<std::string>& names) const {
    const std::vector<Metric> stored = m_env.database.load_metrics(id);
    const bool any = std::any_of(stored.begin(), stored.end(),
                                 [](const Metric& metric) { return metric.value.has_value(); });
    return (any || m_env.device.replayed) &&
           std::all_of(names.begin(), names.end(), [&](const std::string& name) {
             return std::any_of(stored.begin(), stored.end(),
                                [&](const Metric& metric) { return metric.name == name; });
           });
  }

  void profile(const Target& target) {
    ProfileReply reply = ask(target);
    for (const std::string& name : *target.metrics) {
      const bool had = std::any_of(reply.metrics.begin(), reply.metrics.end(),
                                   [&](const Metric& metric) { return metric.name == name; });
      if (!had) reply.metrics.push_back({name, std::nullopt, "", reply.reason});
    }
    m_env.database.insert_metrics(target.stored.id, reply.metrics);
  }

  ProfileReply ask(const Target& target) {
    ProfileReply reply;
    reply.reason = m_given_up;
    if (!m_given_up.empty()) return reply;
    try {
      open_once();
      const auto request = request_of(target.stored.measurement, reply.reason);
      if (!request) return reply;
      reply = m_env.worker.profile({*request, *target.metrics});
    } catch (const UserError& error) {
      reply.unavailable = true;
      reply.reason = error.what();
    }
    if (reply.worker_lost && ++m_workers_lost == most_workers_lost) reply.unavailable = true;
    if (reply.unavailable) {
      m_given_up = reply.reason;
      m_env.observer.on_note("no hardware metrics: " + reply.reason);
    }
    return reply;
  }
  /// The check of a winner leaves another problem open.
  void open_once() {
    if (m_open) return;
    open_problem(m_env, m_state.problem, m_state.space.config(0), ProblemRole::measured,
                 m_state.settings.seed);
    m_open = true;
  }
  /// Absent where there is nothing to launch, for `reason`.
  std::optional<Measure> request_of(const Measurement& measured, std::string& reason) {
    std::optional<Measure> request;
    if (measured.phase == Phase::baseline) {
      request = baseline_request_of(measured.label, reason);
    } else {
      std::optional<CompileResult> compiled;
      if (m_env.pool != nullptr) {
        compiled = compile_now(*m_env.pool, m_env.interrupted,
                               m_env.request(m_env.spec.entry, m_state.problem, measured.config));
        reason = compiled->reason;
        if (!compiled->ok) return std::nullopt;
      }
      request =
          measure_request(m_state, {}, measured.config, compiled ? &*compiled : nullptr,
                          plan_launch(m_env.spec, m_state.problem, measured.config, m_env.device));
    }
    if (request) request->time_limit_ms = m_state.settings.launch_limit_ms;  // counting is slow
    return request;
  }
  std::optional<Measure> baseline_request_of(const std::string& label, std::string& reason) {
    for (const Baseline& baseline : m_env.spec.baselines) {
      if (baseline.name != label) continue;
      Measurement compiled;
      auto request = baseline_request(m_state, baseline, compiled);
      reason = compiled.reason;
      return request;
    }
    reason = "the spec has no such baseline any more";
    return std::nullopt;
  }

  ProblemState& m_state;
  Environment& m_env;
  const std::vector<std::string> m_all;
  const std::vector<std::string> m_quick;
  bool m_open = false;
  int m_workers_lost = 0;
  std::string m_given_up;  // why no more is asked for; empty: it is
};

}  // namespace

void run_profile(ProblemState& state) {
  if (state.settings.profile.scope != ProfileScope::off) ProfilePhase(state).run();
}

}  // namespace gtune
