#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>

#include "model/checked_json.hpp"
#include "store/database.hpp"

// What the schema does not check and readers lean on, of rows that came from elsewhere. Throws
// std::invalid_argument or nlohmann::json::exception that says what is wrong.
namespace gtune {

/// Of a row of any table but `measurement`, as JSON.
void check_row(const std::string& table, const nlohmann::json& row);

/// Of rows of `measurement`: what can have been measured.
class MeasurementCheck {
 public:
  explicit MeasurementCheck(const SQLite::Database& database);
  void check(std::int64_t id);

 private:
  SQLite::Statement m_select;
};

/// Of a whole database. Throws UserError that names the first wrong row.
void require_sound_rows(Database& database);

}  // namespace gtune
