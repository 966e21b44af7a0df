#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "model/checked_json.hpp"
#include "store/statement.hpp"
#include "store/table_shapes.hpp"

// The columns of a row as JSON: an infinite number is "inf" or "-inf", text that is not UTF-8 is
// an object with its bytes, and samples are a list, in which NaN is "nan".
namespace gtune {

/// Adds the columns of `shape` to `row`, from the statement's current row, starting at column
/// `first`.
void put_columns(nlohmann::json& row, const TableShape& shape, const SQLite::Statement& statement,
                 int first);

/// Throws std::invalid_argument or nlohmann::json::exception if the value does not fit the column.
void bind_column(Binder& to, const TableColumn& column, const nlohmann::json& value);

}  // namespace gtune
