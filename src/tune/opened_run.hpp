#pragma once

#include <map>
#include <optional>
#include <string>

#include "tune/problem_state.hpp"

namespace gtune {

/// The run whose problem the lead has open, while measurements of several ended runs are launched
/// again.
class OpenedRun {
 public:
  /// Opens the run's problem, unless the present lead has it open. False if it cannot be opened,
  /// which is reported and not tried again; `reason` then has the cause.
  [[nodiscard]] bool open(const ProblemState& state, std::string& reason);

 private:
  std::optional<RunId> m_run;
  std::size_t m_lead = 0;  // of the workers, valid with m_run
  std::map<RunId, std::string> m_failed;
};

}  // namespace gtune
