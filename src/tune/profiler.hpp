#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// Takes hardware metrics on the lead. If they are unavailable, it says so once and stops asking.
class Profiler {
 public:
  explicit Profiler(ProblemState& state) : m_state(state), m_env(state.environment) {}

  /// The kernel of a configuration; absent where nothing is compiled. Called with the problem open.
  using Compile = std::function<const std::optional<CompileResult>&()>;

  /// Of a configuration or a baseline. Without metrics the reply has the reason.
  ProfileReply take(const Measurement& measured, const std::vector<std::string>& metrics,
                    const Compile& compile);
  /// Of what `run` launches, on the problem that is open.
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
  std::string m_given_up;  // why no more is asked for; empty: it is
};

}  // namespace gtune
