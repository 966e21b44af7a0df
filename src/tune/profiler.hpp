#pragma once

#include <string>
#include <vector>

#include "tune/relaunch.hpp"
#include "tune/until_given_up.hpp"

namespace gtune {

/// Takes hardware metrics on the lead. If they are unavailable, it reports that once and stops.
class Profiler {
 public:
  explicit Profiler(ProblemState& state)
      : m_env(state.environment),
        m_relaunch(state),
        m_asking(state.environment.observer, "hardware metrics") {}

  /// Takes metrics of a configuration or a baseline. If there are none, the reply has the reason.
  ProfileReply take(const Measurement& measured, const std::vector<std::string>& metrics,
                    const Relaunch::Compile& compile);
  /// Takes metrics of the launches of `run` on the open problem.
  ProfileReply take(const Measure& run, const std::vector<std::string>& metrics);

 private:
  template <typename Ask>
  ProfileReply take_unless_given_up(Ask ask);

  const Environment& m_env;
  Relaunch m_relaunch;
  UntilGivenUp m_asking;
};

}  // namespace gtune
