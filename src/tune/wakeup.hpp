#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace gtune {

/// Lets one thread wait for several others at once.
class Wakeup {
 public:
  void ring() {
    {
      const std::scoped_lock lock(m_mutex);
      m_rung = true;
    }
    m_changed.notify_one();
  }

  /// Returns immediately if it was rung since the last wait.
  void wait_for(std::chrono::milliseconds limit) {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, limit, [this] { return m_rung; });
    m_rung = false;
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_rung = false;
};

}  // namespace gtune
