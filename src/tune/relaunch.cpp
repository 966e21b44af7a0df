#include "tune/relaunch.hpp"

#include "jit/step_resources.hpp"
#include "spec/evaluate.hpp"
#include "tune/baseline_phase.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"

namespace gtune {

std::optional<Measure> Relaunch::request_of(const Measurement& measured, const Compile& compile,
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

std::optional<Measure> Relaunch::request_of(const Measurement& measured, std::string& reason) {
  const auto compile = [&]() -> const std::optional<CompileResult>& {
    if (m_env.pool != nullptr) {
      const Case again = m_env.case_on_lead(m_state.problem, measured.config);
      m_compiled =
          compile_now(*m_env.pool, m_env.interrupted, m_env.request(m_env.spec.steps, again));
    }
    return m_compiled;
  };
  return request_of(measured, compile, reason);
}

std::optional<Measure> Relaunch::baseline_request_of(const std::string& label,
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
