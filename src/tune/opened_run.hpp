#pragma once

#include <optional>

#include "tune/open_problem.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// The run whose problem the lead has open, while measurements of several ended runs are launched
/// again.
class OpenedRun {
 public:
  /// Opens the run's problem, unless it is open.
  void open(const ProblemState& state) {
    if (m_run == state.run) return;
    const Environment& env = state.environment;
    open_problem(env, env.case_on_lead(state.problem, state.space.config(0)), ProblemRole::measured,
                 state.settings);
    m_run = state.run;
  }

 private:
  std::optional<RunId> m_run;
};

}  // namespace gtune
