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

/// The URI with which ATTACH opens `path`, the absolute path of an open database, for reading: as
/// that connection reads it.
[[nodiscard]] std::string uri_to_read_again(SQLite::Database& open,
                                            const std::filesystem::path& path);

}  // namespace gtune
