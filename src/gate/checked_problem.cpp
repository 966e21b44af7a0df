#include "gate/checked_problem.hpp"

#include <algorithm>

namespace gtune {

int GateResult::count(GateVerdict verdict) const {
  return static_cast<int>(
      std::count_if(problems.begin(), problems.end(),
                    [&](const CheckedProblem& each) { return each.verdict == verdict; }));
}

std::string GateResult::summary() const {
  std::string text = std::to_string(problems.size());
  text += problems.size() == 1 ? " problem" : " problems";
  std::string separator = ": ";
  for (const GateVerdict verdict : {GateVerdict::same, GateVerdict::faster, GateVerdict::slower,
                                    GateVerdict::unsure, GateVerdict::failed}) {
    if (count(verdict) == 0) continue;
    text += separator + std::to_string(count(verdict)) + ' ' + std::string(to_string(verdict));
    separator = ", ";
  }
  return text;
}

ExitCode GateResult::exit_code() const {
  const bool bad = count(GateVerdict::slower) + count(GateVerdict::failed) > 0;
  return bad ? ExitCode::failed : ExitCode::done;
}

}  // namespace gtune
