#pragma once

#include <functional>
#include <istream>
#include <string>
#include <string_view>

#include "store/database.hpp"

// A whole database as text: a line that names the form, then one JSON object per row, each behind
// the rows that it refers to by their numbers. docs/database.md describes it.
namespace gtune {

inline constexpr int k_json_lines_form = 1;

/// Calls `line` for each line, without its end. Throws UserError.
void write_json_lines(Database& database, const std::function<void(std::string_view)>& line);

/// Adds the rows that the database `target` does not have; makes it where it is missing. All of the
/// text, or nothing of it: throws UserError "NAME:LINE: ..." where it is not what write_json_lines
/// writes.
void read_json_lines(std::istream& text, const std::string& name,
                     const std::filesystem::path& target);

}  // namespace gtune
