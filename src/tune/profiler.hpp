#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// Takes hardware metrics on the lead. If they are unavailable, it reports that once and stops.
class Profiler {
 public:
  explicit Profiler(ProblemState& state) : m_state(state), m_env(state.environment) {}

  /// Returns the compiled kernel; absent if nothing is compiled. Called with the problem open.
  using Compile = std::function<const std::optional<CompileResult>&()>;

  /// Takes metrics of a configuration or a baseline. If there are none, the reply has the reason.
  ProfileReply take(const Measurement& measured, const std::vector<std::string>& metrics,
                    const Compile& compile);
  /// Takes metrics of the launches of `run` on the open problem.
  ProfileReply take(const Measure& run, const std::vector<std::string>& metrics);

 private:
  template <typename Ask>
  ProfileReply unless_given_up(Ask ask);
  void open_once();
  [[nodiscard]] std::optional<Measure> request_of(const Measurement& measured,
                                                  const Compile& compile, std::string& reason);
  [[nodiscard]] std::optional<Measure> baseline_request_of(const std::string& label,
                                                           std::string& reason);

  ProblemState& m_state;
  const Environment& m_env;
  bool m_open = false;
  int m_workers_lost = 0;
  std::string m_given_up;  // why no more metrics are taken; empty: they are
};

}  // namespace gtune
