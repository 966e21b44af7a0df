#pragma once

#include <vector>

#include "exchange/recorded_space.hpp"

namespace gtune {

/// The expected result of random search, as the autotuning methodology computes it (F.-J. Willemsen
/// et al., A Methodology for Comparing Optimization Algorithms for Auto-Tuning, Future Generation
/// Computer Systems 159, 2024). Costs and times are in ms.
class RandomBaseline {
 public:
  explicit RandomBaseline(const RecordedSpace& recorded);

  /// The best cost after `evaluations` distinct draws, which may be a fraction. As in the
  /// methodology's program, the expected rank of the best, counted from 1, is used as an index from
  /// 0, so the result is one rank better than expected.
  [[nodiscard]] double best_after(double evaluations) const;
  /// Draws until the share `progress` (0..1) of the way from the median to the optimum is covered.
  [[nodiscard]] double evaluations_until(double progress) const;
  /// The moments at which strategies are compared, evenly spaced from 1 % to 95 % progress.
  [[nodiscard]] std::vector<double> moments() const;
  /// The score of the best costs at the moments, averaged over them: 0 is random search, 1 the
  /// optimum.
  [[nodiscard]] double score(const std::vector<double>& best) const;
  [[nodiscard]] double median_evaluation_ms() const { return m_median_evaluation_ms; }

 private:
  std::vector<double> m_descending;  // costs of the configurations that ran
  double m_median = 0;
  double m_median_evaluation_ms = 0;
};

}  // namespace gtune
