#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gtune {

enum class TokenKind { integer, real, identifier, word, symbol, end };

/// A piece of an expression's text.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;   // part of the expression; a word includes its quotes
  std::size_t offset = 0;  // of its first byte
  std::int64_t integer = 0;
  double real = 0;
};

/// Splits an expression; the last token is `end`. Throws ExpressionError.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text);

/// The C identifier or keyword that the text begins with; empty if it begins with another token.
[[nodiscard]] std::string_view leading_identifier(std::string_view text);

/// Whether the text is a C identifier or keyword.
[[nodiscard]] bool is_identifier(std::string_view text);

}  // namespace gtune
