#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "space/search_space.hpp"
#include "system/scratch_folder.hpp"
#include "tune/kernel_session.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// A kernel that is ready to be measured. Its measurements stay out of the user's database: they
/// are made to be compared, not to choose from.
class GateSession {
 public:
  /// `options.database` is not used. Throws UserError, or Interrupted while it waits for the GPU.
  GateSession(SessionOptions options, const KernelSpec& spec, RunObserver& observer,
              std::function<bool()> interrupted);

  [[nodiscard]] const Environment& environment() const { return m_session.environment(); }

 private:
  ScratchFolder m_folder;
  KernelSession m_session;
};

/// A configuration could not be measured. The text is one line that says why.
class RoundFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How configurations are measured for a comparison.
struct RoundSettings {
  TimingMode mode = {};
  double launch_limit_ms = 10000;
};

/// One configuration of a problem, measured in rounds. A round starts a new worker process, which
/// allocates and fills the buffers, computes the reference, checks the result and takes samples;
/// its time is their median. No worker of this session runs between rounds.
class FreshRounds {
 public:
  /// Checks the sizes and the configuration against the spec, and compiles. Throws RoundFailed if
  /// the problem or the configuration is not valid (any more), or does not compile.
  FreshRounds(const GateSession& session, const RoundSettings& settings, const Problem& problem,
              const Config& config);
  FreshRounds(const FreshRounds&) = delete;
  FreshRounds& operator=(const FreshRounds&) = delete;

  /// The time of the next round in ms. Throws RoundFailed, Interrupted, and UserError if there is
  /// no device any more.
  double next_ms();

  /// With every size and parameter of the spec, in its order.
  [[nodiscard]] const Problem& problem() const { return m_state->problem; }
  [[nodiscard]] const Config& config() const { return m_config; }
  /// Since the construction; in a replay, what the measurements took.
  [[nodiscard]] double seconds() const { return m_state->clock.seconds(); }

 private:
  void compile(const Problem& problem);
  [[nodiscard]] MeasureReply measure();

  const Environment& m_environment;
  RunSettings m_settings;
  Config m_config;
  SearchSpace m_space;
  std::optional<ProblemState> m_state;
  std::optional<Measure> m_request;
  bool m_opened = false;
};

}  // namespace gtune
