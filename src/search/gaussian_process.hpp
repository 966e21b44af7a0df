#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/random.hpp"

namespace gtune {

struct Prediction {
  double mean = 0;
  double deviation = 0;
};

/// Regression by a Gaussian process with a Matern 5/2 kernel and one length scale per group of
/// columns (C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, 2006:
/// algorithm 2.1, equation 4.17, section 5.4.1). Costs O(n^3) to fit and O(n^2) to predict.
class GaussianProcess {
 public:
  /// `groups`: for each column the group whose length scale it uses.
  GaussianProcess(std::vector<std::size_t> groups, std::size_t group_count);

  /// Replaces the data. There must be at least one point.
  void fit(const std::vector<std::vector<double>>& points, const std::vector<double>& targets);
  /// Adapts length scales and noise to the data: `steps` random moves, each kept if it increases
  /// the posterior probability.
  void learn_scales(int steps, Random& random);
  [[nodiscard]] Prediction predict(std::span<const double> point) const;

 private:
  void factorise();
  [[nodiscard]] double log_posterior() const;
  void kernel_to(std::span<const double> point, std::size_t count, double* out) const;

  std::vector<std::size_t> m_groups;
  std::vector<double> m_inverse_scales;  // per group
  double m_noise;                        // variance, relative to that of the targets

  std::vector<std::vector<double>> m_points;
  std::vector<double> m_targets;  // standardised
  double m_target_mean = 0;
  double m_target_deviation = 1;

  std::size_t m_count = 0;
  std::vector<double> m_columns;   // scaled features, column after column
  std::vector<double> m_factor;    // transposed Cholesky factor: row q holds column q of L
  std::vector<double> m_whitened;  // L^-1 targets
  std::vector<double> m_weights;   // K^-1 targets
  mutable std::vector<double> m_scratch;
};

}  // namespace gtune
