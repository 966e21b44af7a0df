#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "store/records.hpp"

namespace gtune {

/// What a tuned problem would lose if it had not been tuned: with the winner of the nearest other.
struct LeftOut {
  Winner winner;
  std::optional<Winner> answer;  // absent: none of the others may be used there
  std::optional<double> loss;    // 0.03: 3 % slower; absent also where that was never measured
};

/// Of losses; all absent where there are none.
struct LossSummary {
  std::optional<double> median, mean, p90, p95, worst;
  /// The median, were every loss that was not measured above all that were.
  std::optional<double> median_at_most;
};

/// Each problem left out in turn, and random tenths of them.
struct LeaveOutReport {
  std::vector<LeftOut> each;
  std::size_t subsets = 0;
  std::vector<double> subset_losses;  // of every problem in every subset, where measured, sorted
  std::size_t unmeasured = 0;         // of the subsets' problems

  [[nodiscard]] LossSummary summary() const;
};

/// The same whatever the order of the winners. `is_valid`: whether a winner's configuration may be
/// used for another winner's problem and device.
[[nodiscard]] LeaveOutReport leave_out(
    std::vector<Winner> winners, const std::vector<ConfigSpeed>& speeds,
    const std::function<bool(const Winner& of, const Winner& where)>& is_valid, std::uint64_t seed);

[[nodiscard]] std::string leave_out_text(const std::string& kernel, const LeaveOutReport& report);
[[nodiscard]] nlohmann::json leave_out_json(const std::string& kernel,
                                            const LeaveOutReport& report);

}  // namespace gtune
