#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tune/problem_state.hpp"

namespace gtune {

/// Prepares measured configurations and baselines to be launched again on the lead, which has the
/// run's problem open.
class Relaunch {
 public:
  explicit Relaunch(ProblemState& state) : m_state(state), m_env(state.environment) {}

  /// Returns the compiled kernel; absent if nothing is compiled.
  using Compile = std::function<const std::optional<CompileResult>&()>;

  /// Absent if there is nothing to launch; `reason` then has the cause.
  [[nodiscard]] std::optional<Measure> request_of(const Measurement& measured,
                                                  const Compile& compile, std::string& reason);
  /// The same; compiles a configuration itself, unless measurements are replayed.
  [[nodiscard]] std::optional<Measure> request_of(const Measurement& measured, std::string& reason);

 private:
  [[nodiscard]] std::optional<Measure> baseline_request_of(const std::string& label,
                                                           std::string& reason);

  ProblemState& m_state;
  const Environment& m_env;
  std::optional<CompileResult> m_compiled;
};

}  // namespace gtune
