#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "model/checked_json.hpp"
#include "model/error.hpp"

namespace gtune {

/// A path as shown to the user: always on one line.
[[nodiscard]] std::string shown(const std::filesystem::path& path);

/// What SQLite's error means to the user. `system_error` is the errno that caused it, 0 if unknown.
[[nodiscard]] UserError user_error(const std::filesystem::path& path,
                                   const SQLite::Exception& error, int system_error);

/// The error for a row that no gtune can have written.
[[nodiscard]] UserError unexpected_value(const std::filesystem::path& path,
                                         const std::exception& error);

/// Runs `work` on an open database and turns its exceptions into UserError.
template <typename Work>
auto with_user_errors(const std::filesystem::path& path, const SQLite::Database& database,
                      Work work) {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    throw user_error(path, error, sqlite3_system_errno(database.getHandle()));
  } catch (const nlohmann::json::exception& error) {
    throw unexpected_value(path, error);
  } catch (const std::invalid_argument& error) {
    throw unexpected_value(path, error);
  } catch (const std::out_of_range&) {
    throw unexpected_value(path, std::invalid_argument("a row refers to one that is not there"));
  }
}

}  // namespace gtune
