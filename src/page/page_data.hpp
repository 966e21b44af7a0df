#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "page/problem_record.hpp"

// What the script of a page draws from, in one JSON block. A problem's measurements are columns: a
// string with a digit of base 64 for each row where few values are possible, an array of numbers
// elsewhere. Strings come from other people's files.
namespace gtune {

/// The JSON of one problem: parameters and their values, and each measurement of the search and the
/// final, in the order they were made.
[[nodiscard]] std::string problem_data(const KernelSpec& spec, const ProblemRecord& record);

/// JSON as the content of a script element: characters that could end it are escaped.
[[nodiscard]] std::string script_text(std::string_view json);

}  // namespace gtune
