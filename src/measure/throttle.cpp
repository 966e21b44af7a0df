#include "measure/throttle.hpp"

#include <algorithm>

namespace gtune {

ThrottleFilter::ThrottleFilter(double max_clock_mhz, ThrottleOptions options)
    : m_reference_mhz(max_clock_mhz), m_options(options) {}

void ThrottleFilter::begin_configuration() {
  const bool held_down = m_repeated >= m_options.max_repeats;
  if (held_down && m_highest_mhz > 0) m_reference_mhz = m_highest_mhz;
  m_highest_mhz = 0;
  m_repeated = 0;
}

bool ThrottleFilter::should_repeat(std::optional<double> clock_mhz) {
  if (!clock_mhz || m_reference_mhz <= 0) return false;
  m_highest_mhz = std::max(m_highest_mhz, *clock_mhz);
  m_reference_mhz = std::max(m_reference_mhz, *clock_mhz);
  const bool throttled = *clock_mhz < m_reference_mhz * (1 - m_options.tolerance);
  if (!throttled || m_repeated >= m_options.max_repeats) return false;
  ++m_repeated;
  return true;
}

}  // namespace gtune
