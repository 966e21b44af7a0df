#include "system/open_file_limit.hpp"

#include <mutex>

namespace gtune {
namespace {

/// The limit of this process before it was raised.
class OriginalLimit {
 public:
  static OriginalLimit& only() {
    static OriginalLimit limit;
    return limit;
  }

  void raise() {
    const std::scoped_lock lock(m_mutex);
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0 && !m_limit) m_limit = limit;
  }

  [[nodiscard]] std::optional<rlimit> get() const {
    const std::scoped_lock lock(m_mutex);
    return m_limit;
  }

 private:
  mutable std::mutex m_mutex;
  std::optional<rlimit> m_limit;
};

}  // namespace

void raise_open_file_limit() { OriginalLimit::only().raise(); }

std::optional<rlimit> original_open_file_limit() { return OriginalLimit::only().get(); }

}  // namespace gtune
