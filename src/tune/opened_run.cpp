#include "tune/opened_run.hpp"

#include "model/error.hpp"
#include "spec/problem_text.hpp"
#include "tune/open_problem.hpp"

namespace gtune {

bool OpenedRun::open(const ProblemState& state, std::string& reason) {
  const Environment& env = state.environment;
  if (const auto failed = m_failed.find(state.run); failed != m_failed.end()) {
    reason = failed->second;
    return false;
  }
  if (m_run == state.run && m_lead == env.workers.lead_number()) return true;
  m_run.reset();  // none is open if this fails
  try {
    open_problem(env, env.case_on_lead(state.problem, state.space.config(0)), ProblemRole::measured,
                 state.settings);
  } catch (const UserError& error) {
    reason = m_failed[state.run] = error.what();
    env.observer.on_note("no metrics of " + problem_text(env.spec, state.problem) + ": " + reason);
    return false;
  }
  m_run = state.run;
  m_lead = env.workers.lead_number();
  return true;
}

}  // namespace gtune
