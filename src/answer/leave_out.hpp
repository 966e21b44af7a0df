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

/// The loss of a tuned problem if it had not been tuned.
struct LeftOut {
  Winner winner;
  /// The configuration expected to be the fastest of those measured there; if none was, of all.
  /// Absent if none is valid.
  std::optional<Config> answer;
  std::optional<double> loss;  // 0.03: 3 % slower; also absent if none was measured there
};

/// Statistics of losses; all absent if there are none.
struct LossSummary {
  std::optional<double> median, mean, p90, p95, worst;
  /// Upper bound of the median: counts every unmeasured loss as larger than all measured ones.
  std::optional<double> median_at_most;
};

/// Results of leaving out each problem in turn, and random tenths of them.
struct LeaveOutReport {
  std::vector<LeftOut> each;
  std::size_t subsets = 0;
  std::vector<double> subset_losses;  // measured losses in all subsets, sorted
  std::size_t unmeasured = 0;         // number of losses in all subsets that were not measured
  /// For each problem left out alone, how far its measured times are from the expected ones: shares
  /// of the expected time, sorted.
  std::vector<double> errors = {};

  [[nodiscard]] LossSummary summary() const;
};

/// The result does not depend on the order of the winners.
[[nodiscard]] LeaveOutReport leave_out(std::vector<Winner> winners,
                                       const std::vector<ConfigSpeed>& speeds,
                                       const SizeRules& rules, std::uint64_t seed);

[[nodiscard]] Document leave_out_report(const KernelSpec& spec, const LeaveOutReport& report);

}  // namespace gtune
