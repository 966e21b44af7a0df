#include "measure/wait.hpp"

#include <chrono>
#include <cmath>
#include <thread>

namespace gtune {

KernelTimeout::KernelTimeout(double limit_ms, const std::string& what)
    : std::runtime_error((what.empty() ? "" : what + " ") + "still running after " +
                         std::to_string(std::llround(limit_ms)) + " ms") {}

void wait_for(const Event& event, double limit_ms) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  while (!event.done()) {
    const std::chrono::duration<double, std::milli> waited = Clock::now() - start;
    if (waited.count() > limit_ms) throw KernelTimeout(limit_ms);
    // Spinning for the first millisecond keeps short kernels quick; later it only heats a core.
    if (waited.count() > 1) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace gtune
