#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "store/interruption.hpp"

namespace gtune {
namespace {

// Set by a signal handler and read by all threads, so it is atomic and lock-free. It is global
// because a handler gets no argument of its own.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> requested = false;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<std::int64_t> requested_ms = 0;  // when
static_assert(std::atomic<bool>::is_always_lock_free);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// Some senders, such as timeout(1), signal a process and then its group. A second wish to end
/// comes later, and ends the process at once.
constexpr std::int64_t same_wish_ms = 500;

std::int64_t now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

extern "C" void on_signal(int signal) {
  if (!requested.exchange(true)) {
    requested_ms = now_ms();
  } else if (now_ms() - requested_ms >= same_wish_ms) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupt_requested() { return requested; }

void catch_database_interrupts() {
  catch_interrupts();
  interrupt_databases_when(interrupt_requested);
}

}  // namespace gtune
