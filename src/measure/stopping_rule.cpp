#include "measure/stopping_rule.hpp"

#include <algorithm>

#include "model/statistics.hpp"

namespace gtune {

StoppingRule::StoppingRule(SamplingOptions options) : m_options(options) {
  m_options.max_samples = std::max(m_options.max_samples, 1);
  m_options.first_batch = std::clamp(m_options.first_batch, 1, m_options.max_samples);
  m_options.min_samples = std::max(m_options.min_samples, static_cast<int>(fewest_for_interval));
}

void StoppingRule::add(double sample_ms) {
  m_samples.push_back(sample_ms);
  m_total_ms += sample_ms;
}

StoppingRule::Verdict StoppingRule::verdict() const {
  const auto count = static_cast<int>(m_samples.size());
  if (count == 0) return Verdict::more;
  if (count >= m_options.min_samples &&
      relative_half_width(m_samples) <= m_options.target_half_width) {
    return Verdict::converged;
  }
  const bool used_up = count >= m_options.max_samples || m_total_ms >= m_options.max_seconds * 1e3;
  return used_up ? Verdict::limit : Verdict::more;
}

int StoppingRule::batch_size() const {
  if (verdict() != Verdict::more) return 0;
  const auto count = static_cast<int>(m_samples.size());
  if (count == 0) return m_options.first_batch;
  int wanted = count < m_options.min_samples ? m_options.min_samples - count : (count + 1) / 2;
  wanted = std::min(wanted, m_options.max_samples - count);
  const double mean_ms = m_total_ms / count;
  const double left_ms = m_options.max_seconds * 1e3 - m_total_ms;
  if (wanted * mean_ms > left_ms) wanted = static_cast<int>(left_ms / mean_ms);
  return std::max(wanted, 1);
}

}  // namespace gtune
