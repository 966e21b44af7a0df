#pragma once

#include <string>

// Turns arbitrary text into pieces of C and C++.
namespace gtune {

/// A string literal.
[[nodiscard]] std::string cpp_literal(const std::string& text);

/// A one-line comment with its newline, safe for any text.
[[nodiscard]] std::string cpp_comment(std::string text);

/// Throws UserError(usage) if a name is a keyword of C or C++.
void require_no_keyword(const std::string& name);

}  // namespace gtune
