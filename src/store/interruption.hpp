#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>

namespace gtune {

/// From now on work on databases ends soon after `requested` says so, with UserError(interrupted);
/// what was not committed is rolled back. For commands that do not tune: these commit what they
/// have.
void interrupt_databases_when(bool (*requested)());

/// True where the work is to end.
[[nodiscard]] bool database_interrupted();

/// Of a connection that was just opened: waits so long for the locks of others.
void make_interruptible(SQLite::Database& database, std::chrono::milliseconds busy_timeout);

}  // namespace gtune
