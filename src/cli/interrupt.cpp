#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

#include "store/interruption.hpp"

namespace gtune {
namespace {

// Set by a signal handler and read by all threads, so it is atomic and lock-free. It is global
// because a handler gets no argument of its own.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int signal) {
  requested = true;
  std::signal(signal, SIG_DFL);
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
