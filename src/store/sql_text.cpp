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

std::string sql_literal(std::string_view text) { return quoted(text, '\''); }

std::string sql_identifier(std::string_view name) { return quoted(name, '"'); }

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
