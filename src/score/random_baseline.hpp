#pragma once

#include <vector>

#include "exchange/recorded_space.hpp"

namespace gtune {

/// What random search is expected to reach, as the autotuning methodology computes it (F.-J.
/// Willemsen et al., A Methodology for Comparing Optimization Algorithms for Auto-Tuning,
/// Future Generation Computer Systems 159, 2024). Costs and times in ms.
class RandomBaseline {
 public:
  explicit RandomBaseline(const RecordedSpace& recorded);

  /// The best cost after `evaluations` distinct draws, which may be a fraction, as the
  /// methodology's program has it: the expected rank of the best among the costs, counted from 1,
  /// is taken for an index from 0, so it is one rank better than expected.
  [[nodiscard]] double best_after(double evaluations) const;
  /// Draws until the share `progress` of the way from the median to the optimum is made.
  [[nodiscard]] double evaluations_until(double progress) const;
  /// The moments at which strategies are compared: evenly from 1 % to 95 % progress.
  [[nodiscard]] std::vector<double> moments() const;
  /// Of best costs at the moments: 0 as good as random search, 1 the optimum, mean over time.
  [[nodiscard]] double score(const std::vector<double>& best) const;
  [[nodiscard]] double median_evaluation_ms() const { return m_median_evaluation_ms; }

 private:
  std::vector<double> m_descending;  // the costs of what ran
  double m_median = 0;
  double m_median_evaluation_ms = 0;
};

}  // namespace gtune
