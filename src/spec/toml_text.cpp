#include "spec/toml_text.hpp"

#include <algorithm>

#include "model/error.hpp"

namespace gtune {
namespace {

constexpr int most_brackets = 32;
constexpr int most_key_parts = 32;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Scans a document like a TOML parser, which stops at the first mistake.
class TextCheck {
 public:
  TextCheck(std::string_view text, const std::string& file) : m_text(text), m_file(file) {}

  void run() {
    if (m_text.starts_with(byte_order_mark)) m_at = byte_order_mark.size();
    while (m_at < m_text.size()) step(m_text[m_at]);
  }

 private:
  void step(char c) {
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') return skip_to(m_text.find('\n', m_at));
    if (!is_ascii(c)) fail("a character outside ASCII; expected it in quotes or in a comment");
    if (c == '.' && ++m_key_parts >= most_key_parts) {
      fail("a key has more than " + std::to_string(most_key_parts) + " parts; no spec needs that");
    }
    if (c != '.' && is_key_end(c)) m_key_parts = 0;
    if ((c == '[' || c == '{') && ++m_brackets > most_brackets) {
      fail("arrays and tables nest more than " + std::to_string(most_brackets) +
           " deep; no spec needs that");
    }
    if (c == ']' || c == '}') m_brackets = std::max(0, m_brackets - 1);
    skip_to(m_at + 1);
  }

  static bool is_ascii(char c) { return static_cast<unsigned char>(c) < 128; }

  static bool is_key_end(char c) {
    return std::string_view("\n=,[]{}").find(c) != std::string_view::npos;
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool many_lines = m_text.substr(m_at).starts_with(triple);
    const std::string closing = many_lines ? triple : std::string(1, quote);
    std::size_t at = m_at + closing.size();
    while (at < m_text.size() && !m_text.substr(at).starts_with(closing)) {
      if (m_text[at] == '\n' && !many_lines) break;  // a mistake: the parser ends here
      at = m_text[at] == '\\' && quote == '"' ? end_of_escape(at) : at + 1;
    }
    at += closing.size();
    // Up to two quotes directly before the closing three belong to the text.
    for (int i = 0; many_lines && i < 2 && at < m_text.size() && m_text[at] == quote; ++i) ++at;
    skip_to(at);
  }

  /// After a backslash that ends a line, the parser skips all blanks.
  std::size_t end_of_escape(std::size_t backslash) {
    const std::size_t next = m_text.find_first_not_of(" \t\r\n", backslash + 1);
    if (next != std::string_view::npos && !is_ascii(m_text[next])) {
      skip_to(next);
      fail(next == backslash + 1
               ? "an escape of a character outside ASCII; write \\\\ for a backslash"
               : "the line after a backslash begins with a character outside ASCII; begin it with "
                 "another");
    }
    return backslash + 2;
  }

  void skip_to(std::size_t end) {
    const std::size_t stop = std::min(end, m_text.size());
    m_line += std::count(m_text.begin() + static_cast<std::ptrdiff_t>(m_at),
                         m_text.begin() + static_cast<std::ptrdiff_t>(stop), '\n');
    m_at = stop;
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::size_t before = m_text.substr(0, m_at).rfind('\n');
    const std::size_t column = before == std::string_view::npos ? m_at + 1 : m_at - before;
    throw UserError(ExitCode::usage, m_file + ":" + std::to_string(m_line) + ":" +
                                         std::to_string(column) + ": " + what);
  }

  std::string_view m_text;
  const std::string& m_file;
  std::size_t m_at = 0;
  std::ptrdiff_t m_line = 1;
  int m_brackets = 0;
  int m_key_parts = 0;
};

}  // namespace

void check_toml_text(std::string_view text, const std::string& file) {
  TextCheck(text, file).run();
}

}  // namespace gtune
