#include "store/interruption.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <thread>

namespace gtune {

namespace {

constexpr int operations_between_looks = 10000;
constexpr std::chrono::milliseconds pause_for_lock(10);

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): set once, at the start
bool (*interrupt_source)() = nullptr;  // null: nothing interrupts

int stop_working(void*) { return database_interrupted() ? 1 : 0; }

/// `most`: the maximum number of retries, as a pointer.
int wait_for_lock(void* most, int tries) {
  if (database_interrupted() || tries >= reinterpret_cast<std::intptr_t>(most)) return 0;
  std::this_thread::sleep_for(pause_for_lock);
  return 1;
}

}  // namespace

void interrupt_databases_when(bool (*requested)()) { interrupt_source = requested; }

bool database_interrupted() { return interrupt_source != nullptr && interrupt_source(); }

void make_interruptible(SQLite::Database& database, std::chrono::milliseconds busy_timeout) {
  if (interrupt_source == nullptr) return;
  sqlite3_progress_handler(database.getHandle(), operations_between_looks, stop_working, nullptr);
  const auto most = static_cast<std::intptr_t>(busy_timeout / pause_for_lock);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): SQLite hands a number back as the pointer it takes
  sqlite3_busy_handler(database.getHandle(), wait_for_lock, reinterpret_cast<void*>(most));
}

}  // namespace gtune
