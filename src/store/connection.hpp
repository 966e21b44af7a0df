#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "store/database.hpp"

namespace gtune {

/// Opens `path` as Database's constructor says: ours, of a known schema, ready to use.
/// `path` is absolute.
[[nodiscard]] std::unique_ptr<SQLite::Database> open_connection(
    const std::filesystem::path& path, OpenMode mode, std::chrono::milliseconds busy_timeout);

/// An absolute path as SQLite takes it in ATTACH, with options such as "mode=ro".
[[nodiscard]] std::string database_uri(const std::filesystem::path& path,
                                       const std::string& options);

}  // namespace gtune
