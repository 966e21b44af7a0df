#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/size_rules.hpp"
#include "report/document.hpp"
#include "store/records.hpp"

namespace gtune {

struct KernelSpec;

/// What a tuned problem would lose if it had not been tuned.
struct LeftOut {
  Winner winner;
  /// What is expected to be the fastest of what was measured there; if nothing was, of all. Absent:
  /// none may be used.
  std::optional<Config> answer;
  std::optional<double> loss;  // 0.03: 3 % slower; absent also where none was measured there
};

/// Of losses; all absent where there are none.
struct LossSummary {
  std::optional<double> median, mean, p90, p95, worst;
  /// The highest possible median: as if every unmeasured loss were above all measured ones.
  std::optional<double> median_at_most;
};

/// Each problem left out in turn, and random tenths of them.
struct LeaveOutReport {
  std::vector<LeftOut> each;
  std::size_t subsets = 0;
  std::vector<double> subset_losses;  // of every problem in every subset, where measured, sorted
  std::size_t unmeasured = 0;         // of the subsets' problems
  /// How far times measured on a problem that was left out alone are from what was expected there:
  /// shares of the expected time, sorted.
  std::vector<double> errors = {};

  [[nodiscard]] LossSummary summary() const;
};

/// The same whatever the order of the winners.
[[nodiscard]] LeaveOutReport leave_out(std::vector<Winner> winners,
                                       const std::vector<ConfigSpeed>& speeds,
                                       const SizeRules& rules, std::uint64_t seed);

[[nodiscard]] Document leave_out_report(const KernelSpec& spec, const LeaveOutReport& report);

}  // namespace gtune
