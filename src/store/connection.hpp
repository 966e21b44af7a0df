#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "store/database.hpp"

namespace gtune {

/// Opens `path`, which is absolute, as Database's constructor specifies: a gtune database with a
/// known schema and the answer views defined.
[[nodiscard]] std::unique_ptr<SQLite::Database> open_connection(
    const std::filesystem::path& path, OpenMode mode, std::chrono::milliseconds busy_timeout);

/// The URI that SQLite takes in ATTACH for an absolute path, with options such as "mode=ro".
[[nodiscard]] std::string database_uri(const std::filesystem::path& path,
                                       const std::string& options);

}  // namespace gtune
