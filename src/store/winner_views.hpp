#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

// The views by which gtune answers: of the connection alone, in place of the file's own. A file may
// be another's, and its views say what their author wrote; those of an older gtune believe times
// that cannot have been measured.
namespace gtune {

/// `ended_run`, `winner` and `speed`, as the migration says, of what can have been measured.
void define_winner_views(SQLite::Database& database);

/// From now on `winner` is the fastest winner of the ended runs with a warm L2 cache, else the
/// fastest so far where no run has ended at all.
void define_warm_winner_view(SQLite::Database& database);

}  // namespace gtune
