#pragma once

#include <string>

// Pieces of C++, and of C, made of text that anybody may have written.
namespace gtune {

/// A string literal.
[[nodiscard]] std::string cpp_literal(const std::string& text);

/// A comment of one line, with its end, whatever the text.
[[nodiscard]] std::string cpp_comment(std::string text);

/// Throws UserError(usage) where a name cannot be declared in C and in C++.
void require_no_keyword(const std::string& name);

}  // namespace gtune
