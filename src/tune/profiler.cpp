#include "tune/profiler.hpp"

#include <algorithm>

#include "jit/step_resources.hpp"
#include "model/error.hpp"
#include "spec/evaluate.hpp"
#include "tune/baseline_phase.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// One kernel may crash CUPTI; after a second crash, CUPTI itself is considered broken.
constexpr int most_workers_lost = 2;

/// CUPTI counts one launch at a time, so there are no metrics of several launches together.
std::string why_not_counted(const Measure& run) {
  const auto timed = std::count_if(run.steps.begin(), run.steps.end(),
                                   [](const StepPlan& step) { return !step.setup; });
  const bool launches = std::any_of(run.steps.begin(), run.steps.end(), [](const StepPlan& step) {
    return !step.setup && std::holds_alternative<KernelLaunch>(step.action);
  });
  if (timed > 0 && !launches) return "counters are of a launch, and this has only copies and fills";
  if (timed <= 1) return "";
  return "counters are of one launch, and this is " + std::to_string(timed) + " steps";
}

ProfileReply ask_lead(const Environment& env, const Measure& run,
                      const std::vector<std::string>& metrics) {
  if (std::string reason = why_not_counted(run); !reason.empty()) {
    ProfileReply reply;
    reply.reason = std::move(reason);
    return reply;
  }
  return env.workers.on_lead([&](RestartingWorker& worker) {
    return worker.ask(Profile{run, metrics});
  });
}

}  // namespace

ProfileReply Profiler::take(const Measurement& measured, const std::vector<std::string>& metrics,
                            const Compile& compile) {
  return unless_given_up([&] {
    ProfileReply reply;
    open_once();
    const auto request = request_of(measured, compile, reply.reason);
    return request ? ask_lead(m_env, *request, metrics) : reply;
  });
}

ProfileReply Profiler::take(const Measure& run, const std::vector<std::string>& metrics) {
  return unless_given_up([&] { return ask_lead(m_env, run, metrics); });
}

template <typename Ask>
ProfileReply Profiler::unless_given_up(Ask ask) {
  ProfileReply reply;
  reply.reason = m_given_up;
  if (!m_given_up.empty()) return reply;
  try {
    reply = ask();
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

/// Opens the run's problem if the check of a winner left another one open.
void Profiler::open_once() {
  if (m_open) return;
  open_problem(m_env, m_env.case_on_lead(m_state.problem, m_state.space.config(0)),
               ProblemRole::measured, m_state.settings);
  m_open = true;
}

/// Absent if there is nothing to launch; `reason` then has the cause.
std::optional<Measure> Profiler::request_of(const Measurement& measured, const Compile& compile,
                                            std::string& reason) {
  std::optional<Measure> request;
  if (measured.phase == Phase::baseline) {
    request = baseline_request_of(measured.label, reason);
  } else {
    const std::optional<CompileResult>& compiled = compile();
    if (compiled) reason = compiled->reason;
    if (compiled && !compiled->ok) return std::nullopt;
    const Case again = m_env.case_on_lead(m_state.problem, measured.config);
    request = measure_request(
        m_state, {}, again, compiled ? &*compiled : nullptr,
        plan_steps(m_env.spec, again, facts_of(compiled ? &*compiled : nullptr, again.device)));
  }
  if (request) request->time_limit_ms = m_state.settings.launch_limit_ms;  // counting is slow
  return request;
}

std::optional<Measure> Profiler::baseline_request_of(const std::string& label,
                                                     std::string& reason) {
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

}  // namespace gtune
