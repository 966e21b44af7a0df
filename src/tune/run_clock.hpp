#pragma once

#include <chrono>

namespace gtune {

/// Seconds since a run began. With a recording the time is what the recorded measurements took
/// on the GPU, so that a budget in seconds means the same and a replay is reproducible.
class RunClock {
 public:
  explicit RunClock(bool replayed) : m_replayed(replayed), m_start(Steady::now()) {}

  /// Adds what a recorded measurement took; live time passes by itself.
  void spend_ms(double ms) { m_spent_ms += ms; }

  [[nodiscard]] double seconds() const {
    if (m_replayed) return m_spent_ms * 1e-3;
    return std::chrono::duration<double>(Steady::now() - m_start).count();
  }

 private:
  using Steady = std::chrono::steady_clock;
  bool m_replayed;
  Steady::time_point m_start;
  double m_spent_ms = 0;
};

}  // namespace gtune
