#include "store/sql_text.hpp"

#include <algorithm>

namespace gtune {

namespace {

std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += quote;
    out += c;
  }
  return out + quote;
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

std::string sql_literal(std::string_view text) {
  // SQLite ends a statement at a NUL, even inside a literal.
  if (text.find('\0') == std::string_view::npos) return quoted(text, '\'');
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string hex;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    hex += {digits[byte >> 4], digits[byte & 15]};
  }
  return "CAST(x'" + hex + "' AS TEXT)";
}

std::string sql_identifier(std::string_view name) {
  std::string without_nul(name);
  std::replace(without_nul.begin(), without_nul.end(), '\0', '?');
  return quoted(std::string_view(without_nul), '"');
}

std::string plain_name(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) {
    if (!is_plain(c)) c = '_';
  }
  return plain;
}

std::string UniqueNames::take(const std::string& name) {
  std::string free = name;
  for (int i = 2; std::find(m_taken.begin(), m_taken.end(), lower(free)) != m_taken.end(); ++i) {
    free = name + "_" + std::to_string(i);
  }
  m_taken.push_back(lower(free));
  return free;
}

}  // namespace gtune
