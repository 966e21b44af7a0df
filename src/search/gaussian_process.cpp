#include "search/gaussian_process.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gtune {

namespace {

// Log-normal priors, centred on a function that changes over the length of a parameter's list and
// is measured with a noise of one percent of its variance. While there are few points, they keep
// the model from explaining them by one parameter alone.
constexpr double prior_inverse_scale = 1.0;
constexpr double prior_noise = 0.01;
constexpr double least_noise = 1e-4;
constexpr double most_noise = 0.5;

double matern(double squared_distance) {
  const double r = std::sqrt(5 * squared_distance);
  return (1 + r + r * r / 3) * std::exp(-r);
}

}  // namespace

GaussianProcess::GaussianProcess(std::vector<std::size_t> groups, std::size_t group_count)
    : m_groups(std::move(groups)),
      m_inverse_scales(group_count, prior_inverse_scale),
      m_noise(prior_noise) {}

void GaussianProcess::fit(const std::vector<std::vector<double>>& points,
                          const std::vector<double>& targets) {
  m_points = points;
  m_count = points.size();
  const auto count = static_cast<double>(m_count);
  m_target_mean = std::accumulate(targets.begin(), targets.end(), 0.0) / count;
  double squares = 0;
  for (const double target : targets) squares += std::pow(target - m_target_mean, 2);
  // The floor is for targets that are all the same.
  m_target_deviation = std::max(std::sqrt(squares / count), 1e-9);
  m_targets.clear();
  for (const double target : targets) {
    m_targets.push_back((target - m_target_mean) / m_target_deviation);
  }
  factorise();
}

void GaussianProcess::learn_scales(int steps, Random& random) {
  double best = log_posterior();
  for (int step = 0; step < steps; ++step) {
    const std::vector<double> scales_before = m_inverse_scales;
    const double noise_before = m_noise;
    const std::size_t which = random.below(m_inverse_scales.size() + 1);
    const double factor = std::exp(3 * (random.unit() - 0.5));
    if (which < m_inverse_scales.size()) {
      m_inverse_scales[which] *= factor;
    } else {
      m_noise = std::clamp(m_noise * factor, least_noise, most_noise);
    }
    factorise();
    const double likelihood = log_posterior();
    if (likelihood > best) {
      best = likelihood;
    } else {
      m_inverse_scales = scales_before;
      m_noise = noise_before;
    }
  }
  factorise();
}

Prediction GaussianProcess::predict(std::span<const double> point) const {
  m_scratch.resize(m_count);
  double* kernel = m_scratch.data();
  kernel_to(point, m_count, kernel);
  double mean = 0;
  for (std::size_t i = 0; i < m_count; ++i) mean += kernel[i] * m_weights[i];
  double variance = 1;
  for (std::size_t q = 0; q < m_count; ++q) {
    const double* column = m_factor.data() + q * m_count;
    const double value = kernel[q] / column[q];
    variance -= value * value;
    for (std::size_t i = q + 1; i < m_count; ++i) kernel[i] -= column[i] * value;
  }
  return {m_target_mean + m_target_deviation * mean,
          m_target_deviation * std::sqrt(std::max(variance, 1e-10))};
}

/// Kernel between the point and the first `count` data points.
void GaussianProcess::kernel_to(std::span<const double> point, std::size_t count,
                                double* out) const {
  std::fill_n(out, count, 0.0);
  for (std::size_t c = 0; c < m_groups.size(); ++c) {
    const double* column = m_columns.data() + c * m_count;
    const double value = point[c] * m_inverse_scales[m_groups[c]];
    for (std::size_t i = 0; i < count; ++i) {
      out[i] += (value - column[i]) * (value - column[i]);
    }
  }
  for (std::size_t i = 0; i < count; ++i) out[i] = matern(out[i]);
}

void GaussianProcess::factorise() {
  const std::size_t n = m_count;
  m_columns.resize(m_groups.size() * n);
  for (std::size_t c = 0; c < m_groups.size(); ++c) {
    for (std::size_t i = 0; i < n; ++i) {
      m_columns[c * n + i] = m_points[i][c] * m_inverse_scales[m_groups[c]];
    }
  }
  m_factor.resize(n * n);
  m_scratch.resize(n);
  for (std::size_t q = 0; q < n; ++q) {
    kernel_to(m_points[q], q + 1, m_scratch.data());
    for (std::size_t p = 0; p <= q; ++p) m_factor[p * n + q] = m_scratch[p];
    m_factor[q * n + q] += m_noise;
  }
  // Right-looking and by rows of the transpose, so that the inner loop is a vector operation.
  for (std::size_t q = 0; q < n; ++q) {
    double* column = m_factor.data() + q * n;
    // The noise keeps the pivots away from 0; the floor is for rounding.
    const double pivot = std::sqrt(std::max(column[q], 1e-12));
    for (std::size_t i = q; i < n; ++i) column[i] /= pivot;
    column[q] = pivot;
    for (std::size_t p = q + 1; p < n; ++p) {
      double* target = m_factor.data() + p * n;
      const double value = column[p];
      for (std::size_t i = p; i < n; ++i) target[i] -= value * column[i];
    }
  }
  m_whitened = m_targets;
  for (std::size_t q = 0; q < n; ++q) {
    const double* column = m_factor.data() + q * n;
    m_whitened[q] /= column[q];
    for (std::size_t i = q + 1; i < n; ++i) m_whitened[i] -= column[i] * m_whitened[q];
  }
  m_weights = m_whitened;
  for (std::size_t q = n; q-- > 0;) {
    const double* column = m_factor.data() + q * n;
    for (std::size_t i = q + 1; i < n; ++i) m_weights[q] -= column[i] * m_weights[i];
    m_weights[q] /= column[q];
  }
}

double GaussianProcess::log_posterior() const {
  double sum = 0;
  for (std::size_t i = 0; i < m_count; ++i) {
    sum -= 0.5 * m_whitened[i] * m_whitened[i] + std::log(m_factor[i * m_count + i]);
  }
  const auto prior = [](double value, double centre) {
    return -0.5 * std::pow(std::log(value / centre), 2);
  };
  for (const double scale : m_inverse_scales) sum += prior(scale, prior_inverse_scale);
  return sum + prior(m_noise, prior_noise);
}

}  // namespace gtune
