#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace gtune {

/// Seconds since a run began. In a replay, it is the time that the recorded measurements took on
/// the GPU, so that a budget in seconds has the same effect and a replay is reproducible.
class RunClock {
 public:
  explicit RunClock(bool replayed) : m_replayed(replayed), m_start(Steady::now()) {}

  /// Adds the time of a recorded measurement to one of the workers, which run in parallel. Has no
  /// effect on live time.
  void spend_ms(std::size_t worker, double ms) {
    if (m_spent_ms.size() <= worker) m_spent_ms.resize(worker + 1);
    m_spent_ms[worker] += ms;
  }

  [[nodiscard]] double seconds() const {
    if (m_replayed) return *std::max_element(m_spent_ms.begin(), m_spent_ms.end()) * 1e-3;
    return std::chrono::duration<double>(Steady::now() - m_start).count();
  }

 private:
  using Steady = std::chrono::steady_clock;
  bool m_replayed;
  Steady::time_point m_start;
  std::vector<double> m_spent_ms{0};
};

}  // namespace gtune
