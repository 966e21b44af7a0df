#pragma once

#include <filesystem>

namespace gtune {

/// Where the database is unless --db says otherwise: $GTUNE_DB, else
/// $XDG_DATA_HOME/gtune/gtune.db, else ~/.local/share/gtune/gtune.db.
/// Throws UserError if none of the three is set.
[[nodiscard]] std::filesystem::path default_database_path();

}  // namespace gtune
