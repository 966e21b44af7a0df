#pragma once

#include "gate/checked_problem.hpp"
#include "gate/fresh_rounds.hpp"

namespace gtune {

/// Checks the problems of one kernel, whose present source is measured by `now`.
class KernelCheck {
 public:
  /// `before`: measures the earlier source; null: the times of the file are compared.
  /// `no_before`: why an earlier source was asked for but cannot be measured; else empty.
  KernelCheck(const GateSession& now, const GateSession* before, std::string no_before,
              const GateTerms& terms, double launch_limit_ms)
      : m_now(now),
        m_before(before),
        m_no_before(std::move(no_before)),
        m_terms(terms),
        m_launch_limit_ms(launch_limit_ms) {}

  /// Measures until the verdict is certain or the rounds are used up. A failure of the present
  /// source is FAILED; one of the earlier source leaves the problem UNSURE. Throws Interrupted, and
  /// UserError if there is no device any more.
  [[nodiscard]] CheckedProblem check(const ReferenceTime& reference) const;

 private:
  void compare(CheckedProblem& checked, FreshRounds& now) const;
  void compare_in_turn(CheckedProblem& checked, FreshRounds& now) const;
  void report_progress(const FreshRounds& now, int rounds) const;

  const GateSession& m_now;
  const GateSession* m_before;
  std::string m_no_before;
  GateTerms m_terms;
  double m_launch_limit_ms;
};

/// A problem whose kernel cannot be measured at all: FAILED. `spec`: null if it cannot be read.
[[nodiscard]] CheckedProblem failed_problem(const KernelSpec* spec, const ReferenceTime& reference,
                                            std::string reason);

/// "M=4096, with a warm L2 cache". Names all sizes if `spec` is null or has others.
[[nodiscard]] std::string sizes_text(const KernelSpec* spec, const ReferenceTime& reference);

/// Measures a configuration in `rounds` rounds, for a file of reference times. Throws RoundFailed,
/// Interrupted and UserError. `spec_file`: see ReferenceTime.
[[nodiscard]] ReferenceTime measure_reference(const GateSession& session,
                                              const RoundSettings& settings,
                                              const std::string& spec_file, const Problem& problem,
                                              const Config& config, int rounds);

}  // namespace gtune
