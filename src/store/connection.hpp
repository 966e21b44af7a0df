#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "store/database.hpp"

namespace gtune {

/// Opens `path` as Database's constructor says: ours, of a known schema, ready to use.
/// `path` is absolute.
[[nodiscard]] std::unique_ptr<SQLite::Database> open_connection(
    const std::filesystem::path& path, OpenMode mode, std::chrono::milliseconds busy_timeout);

}  // namespace gtune
