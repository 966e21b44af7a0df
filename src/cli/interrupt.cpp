#include "cli/interrupt.hpp"

#include <csignal>

#include "store/interruption.hpp"

namespace gtune {
namespace {

volatile std::sig_atomic_t requested = 0;

extern "C" void on_signal(int signal) {
  requested = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupt_requested() { return requested != 0; }

void catch_database_interrupts() {
  catch_interrupts();
  interrupt_databases_when(interrupt_requested);
}

}  // namespace gtune
