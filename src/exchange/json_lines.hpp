#pragma once

#include <functional>
#include <istream>
#include <string>
#include <string_view>

#include "store/database.hpp"

// A whole database as text: a line that names the form, then one JSON object per row, each after
// the rows to which its ids refer. docs/database.md describes it.
namespace gtune {

inline constexpr int k_json_lines_form = 1;

/// Calls `line` for each line, without the newline. Throws UserError.
void write_json_lines(Database& database, const std::function<void(std::string_view)>& line);

/// Adds the rows that the database `target` lacks; creates it if it is missing. Imports the whole
/// text or nothing: throws UserError "NAME:LINE: ..." if it is not what write_json_lines writes.
void read_json_lines(std::istream& text, const std::string& name,
                     const std::filesystem::path& target);

}  // namespace gtune
