#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// The first line of a compiler's log that reports an error; if there is none, the first line.
[[nodiscard]] std::string first_error(std::string_view log);

/// The log, cut after 64 KiB.
[[nodiscard]] std::string shortened_log(std::string log);

/// A file's name as a C++ string literal.
[[nodiscard]] std::string string_literal(const std::string& name);

}  // namespace gtune
