#include "spec/lexer.hpp"

#include <array>
#include <charconv>
#include <string>

#include "spec/expression.hpp"

namespace gtune {
namespace {

// Longer ones first, so that "<=" is not read as "<".
constexpr std::array<std::string_view, 26> symbols = {
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%",
    "<",  ">",  "!",  "~",  "&",  "|",  "^",  "?",  ":", "(", ")", ",", "="};

// Spelled out, because <cctype> depends on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_digit(c) || is_letter(c); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : m_text(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (;;) {
      while (m_at < m_text.size() && is_blank(m_text[m_at])) ++m_at;
      if (m_at == m_text.size()) break;
      tokens.push_back(next());
    }
    tokens.push_back({TokenKind::end, {}, m_text.size()});
    return tokens;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  Token next() {
    const char first = m_text[m_at];
    const bool point_first = first == '.' && m_at + 1 < m_text.size() && is_digit(m_text[m_at + 1]);
    if (is_digit(first) || point_first) return number();
    const std::size_t length = leading_identifier(m_text.substr(m_at)).size();
    if (length > 0) return take(TokenKind::identifier, length);
    if (first == '"' || first == '\'') return word(first);
    for (const std::string_view symbol : symbols) {
      if (m_text.substr(m_at).starts_with(symbol)) return take(TokenKind::symbol, symbol.size());
    }
    throw ExpressionError(m_at, "'" + std::string(1, first) + "' has no meaning in an expression");
  }

  Token take(TokenKind kind, std::size_t length) {
    const Token token{kind, m_text.substr(m_at, length), m_at};
    m_at += length;
    return token;
  }

  Token word(char quote) {
    const std::size_t end = m_text.find(quote, m_at + 1);
    if (end == std::string_view::npos) throw ExpressionError(m_at, "a quote that does not end");
    return take(TokenKind::word, end + 1 - m_at);
  }

  /// Counts every character that may belong to a number: "4u" and "1.2.3" are one wrong number.
  [[nodiscard]] std::size_t number_length() const {
    std::size_t end = m_at;
    const bool hex = m_text.substr(m_at).starts_with("0x") || m_text.substr(m_at).starts_with("0X");
    while (end < m_text.size()) {
      const char c = m_text[end];
      const char before = end > m_at ? m_text[end - 1] : ' ';
      const bool exponent_sign = (c == '+' || c == '-') && !hex && (before == 'e' || before == 'E');
      if (!is_word(c) && c != '.' && !exponent_sign) break;
      ++end;
    }
    return end - m_at;
  }

  Token number() {
    Token token = take(TokenKind::integer, number_length());
    const std::string_view text = token.text;
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (!hex && text.find_first_of(".eE") != std::string_view::npos) {
      token.kind = TokenKind::real;
      if (!parse(text, token.real)) fail(token, "is not a number");
      return token;
    }
    if (!hex && text.size() > 1 && text[0] == '0' && is_digit(text[1])) {
      fail(token, "is octal in C; write it without the leading 0");
    }
    const std::string_view digits = hex ? text.substr(2) : text;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), token.integer, hex ? 16 : 10);
    if (end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
      fail(token, "is not a number");
    }
    if (error == std::errc::result_out_of_range) fail(token, "does not fit into 64 bits");
    token.real = static_cast<double>(token.integer);
    return token;
  }

  static bool parse(std::string_view text, double& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
  }

  [[noreturn]] static void fail(const Token& token, const char* what) {
    throw ExpressionError(token.offset, "'" + std::string(token.text) + "' " + what);
  }

  std::string_view m_text;
  std::size_t m_at = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

std::string_view leading_identifier(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return {};
  std::size_t end = 1;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

bool is_identifier(std::string_view text) {
  return !text.empty() && leading_identifier(text) == text;
}

}  // namespace gtune
