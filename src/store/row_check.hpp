#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>

#include "model/checked_json.hpp"
#include "store/database.hpp"

// Checks rows from elsewhere for what readers rely on and the schema does not enforce. Throws
// std::invalid_argument or nlohmann::json::exception that says what is wrong.
namespace gtune {

/// Checks a row, as JSON, of any table except `measurement`.
void check_row(const std::string& table, const nlohmann::json& row);

/// Checks that rows of `measurement` are possible.
class MeasurementCheck {
 public:
  explicit MeasurementCheck(const SQLite::Database& database);
  void check(std::int64_t id);

 private:
  SQLite::Statement m_select;
};

/// Checks a whole database. Throws UserError that names the first wrong row.
void require_sound_rows(Database& database);

}  // namespace gtune
