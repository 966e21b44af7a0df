#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <functional>

namespace gtune {

/// Marks a file as gtune's, in PRAGMA application_id: "gtun".
inline constexpr int k_application_id = 0x6774756e;
/// The newest schema version that this program knows, in PRAGMA user_version.
inline constexpr int k_schema_version = 4;

/// The schema version of the file, 0 for an empty one. Writes nothing. Throws UserError if the file
/// belongs to another program or a newer gtune, or another program changed its tables.
[[nodiscard]] int checked_schema_version(const SQLite::Database& database,
                                         const std::filesystem::path& path);

/// Applies the missing migrations, all or none. Safe in several processes at once. Returns whether
/// there was an older schema; `after_older` then ran in the same transaction, since the views of
/// its kernels name columns that are gone. Leaves foreign keys off if it changed anything.
bool migrate(
    SQLite::Database& database, const std::filesystem::path& path,
    const std::function<void()>& after_older = [] {});

}  // namespace gtune
