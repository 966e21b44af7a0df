#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>

namespace gtune {

/// From now on, database work ends soon after `requested` returns true, with
/// UserError(interrupted); uncommitted changes are rolled back. Not for commands that tune: these
/// commit what they have.
void interrupt_databases_when(bool (*requested)());

/// True if database work should end.
[[nodiscard]] bool database_interrupted();

/// Call on a connection that was just opened, which then waits up to `busy_timeout` for locks.
/// Does nothing unless interrupt_databases_when was called.
void make_interruptible(SQLite::Database& database, std::chrono::milliseconds busy_timeout);

}  // namespace gtune
