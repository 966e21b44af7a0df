#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "model/checked_json.hpp"
#include "store/statement.hpp"
#include "store/table_shapes.hpp"

// The columns of a row as JSON: an infinite number is "inf" or "-inf", text that is no UTF-8 an
// object with its bytes, samples a list.
namespace gtune {

/// Those of the statement's current row from column `first` on.
void put_columns(nlohmann::json& row, const TableShape& shape, const SQLite::Statement& statement,
                 int first);

/// Throws std::invalid_argument or nlohmann::json::exception where the value is of another kind.
void bind_column(Binder& to, const TableColumn& column, const nlohmann::json& value);

}  // namespace gtune
