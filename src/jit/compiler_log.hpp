#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// The first line of a compiler's log that tells of an error, or the first of all.
[[nodiscard]] std::string first_error(std::string_view log);

/// What of a log is kept: a part of a very long one.
[[nodiscard]] std::string shortened_log(std::string log);

/// The string literal of C++ that has a file's name.
[[nodiscard]] std::string string_literal(const std::string& name);

}  // namespace gtune
