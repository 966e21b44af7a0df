#include "authoring/index_terms.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "authoring/macro_outline.hpp"

namespace gtune {
namespace {

using IndexTerms = std::vector<IndexTerm>;

constexpr std::size_t most_terms = 64;
constexpr int deepest_parentheses = 32;
constexpr std::int64_t most_number = 1 << 30;  // so that the product of two fits

bool is_type_word(std::string_view token) {
  static const Tokens words = {"int", "unsigned", "long", "short", "std", ":", "const", "uint"};
  return token.ends_with("_t") || std::find(words.begin(), words.end(), token) != words.end();
}

class TermReader {
 public:
  explicit TermReader(const Tokens& text) : m_text(text) {}

  [[nodiscard]] std::optional<IndexTerms> read() {
    IndexTerms terms = sum();
    if (m_failed || m_at != m_text.size()) return std::nullopt;
    return terms;
  }

 private:
  [[nodiscard]] std::string_view next() const { return token_at(m_text, m_at); }

  IndexTerms fail() {
    m_failed = true;
    return {};
  }

  IndexTerms sum() {
    if (++m_depth > deepest_parentheses) return fail();
    IndexTerms terms;
    std::int64_t sign = 1;
    if (next() == "-" || next() == "+") sign = m_text[m_at++] == "-" ? -1 : 1;
    for (;;) {
      for (IndexTerm& term : product()) {
        term.number *= sign;
        terms.push_back(std::move(term));
      }
      if (terms.size() > most_terms) return fail();
      if (m_failed || (next() != "+" && next() != "-")) break;
      sign = m_text[m_at++] == "-" ? -1 : 1;
    }
    --m_depth;
    return terms;
  }

  IndexTerms product() {
    IndexTerms left = factor();
    while (!m_failed && next() == "*") {
      ++m_at;
      const IndexTerms right = factor();
      if (left.size() * right.size() > most_terms) return fail();
      IndexTerms all;
      for (const IndexTerm& a : left) {
        for (const IndexTerm& b : right) {
          if (std::abs(a.number) > most_number || std::abs(b.number) > most_number) return fail();
          all.push_back(a * b);
        }
      }
      left = std::move(all);
    }
    return left;
  }

  IndexTerms factor() {
    skip_casts();
    if (stands_at(m_text, m_at, {"std", ":", ":"})) m_at += 3;
    const std::string_view token = next();
    if (token == "(") return parenthesized();
    if (is_number(token)) {
      const auto value = constant_value({m_text[m_at++]});
      if (!value || next() == ".") return fail();
      return {{*value, {}}};
    }
    if (!is_word(token)) return fail();
    if (is_type_word(token) && token_at(m_text, m_at + 1) == "(") {  // size_t(x)
      ++m_at;
      return parenthesized();
    }
    std::string name = m_text[m_at++];
    while (next() == "." && is_word(token_at(m_text, m_at + 1))) {
      name += "." + m_text[m_at + 1];
      m_at += 2;
    }
    if (next() == "(" || next() == "[" || next() == ":" || next() == "<") return fail();
    return {{1, {std::move(name)}}};
  }

  IndexTerms parenthesized() {
    ++m_at;
    IndexTerms terms = sum();
    if (next() != ")") return fail();
    ++m_at;
    return terms;
  }

  /// `(int)x`, `static_cast<int>(x)`
  void skip_casts() {
    for (;;) {
      if (next() == "static_cast" && token_at(m_text, m_at + 1) == "<") {
        m_at = past_brackets(m_text, m_at + 1);
        continue;
      }
      std::size_t end = m_at + 1;
      while (is_type_word(token_at(m_text, end))) ++end;
      const bool is_cast = next() == "(" && end > m_at + 1 && token_at(m_text, end) == ")";
      if (!is_cast) return;
      m_at = end + 1;
    }
  }

  const Tokens& m_text;
  std::size_t m_at = 0;
  int m_depth = 0;
  bool m_failed = false;
};

/// The position after an operand: a name, a member, or what is in brackets.
std::size_t past_operand(const Tokens& text, std::size_t at) {
  if (token_at(text, at) == "(") return past_brackets(text, at);
  std::size_t end = at + 1;
  while (token_at(text, end) == ".") end += 2;
  return end;
}

/// The position after the first product.
std::size_t past_product(const Tokens& text) {
  std::size_t end = past_operand(text, 0);
  while (token_at(text, end) == "*") end = past_operand(text, end + 1);
  return end;
}

}  // namespace

std::string on_axis(const char* name, std::size_t axis) {
  return std::string(name) + "." + "xyz"[axis];
}

bool IndexTerm::has(const std::string& factor) const {
  return std::find(factors.begin(), factors.end(), factor) != factors.end();
}

std::string IndexTerm::text() const {
  std::string text = number == 1 && !factors.empty() ? "" : std::to_string(number);
  for (const std::string& factor : factors) text += (text.empty() ? "" : " * ") + factor;
  return text;
}

IndexTerm operator*(const IndexTerm& a, const IndexTerm& b) {
  IndexTerm product = a;
  if (__builtin_mul_overflow(a.number, b.number, &product.number)) {
    product.number = std::numeric_limits<std::int64_t>::max();
  }
  product.factors.insert(product.factors.end(), b.factors.begin(), b.factors.end());
  return product;
}

std::vector<IndexTerm> products_of(const std::vector<IndexTerm>& a,
                                   const std::vector<IndexTerm>& b) {
  std::vector<IndexTerm> all;
  for (const IndexTerm& one : a) {
    for (const IndexTerm& other : b) all.push_back(one * other);
  }
  return all;
}

std::optional<IndexTerm> quotient(IndexTerm a, const IndexTerm& b) {
  for (const std::string& factor : b.factors) {
    const auto at = std::find(a.factors.begin(), a.factors.end(), factor);
    if (at == a.factors.end()) return std::nullopt;
    a.factors.erase(at);
  }
  if (b.number == 0 || a.number % b.number != 0) return std::nullopt;
  a.number /= b.number;
  return a;
}

std::optional<std::vector<IndexTerm>> index_terms(const Tokens& text) {
  return TermReader(text).read();
}

Tokens without_brackets(Tokens text) {
  while (token_at(text, 0) == "(" && past_brackets(text, 0) == text.size()) {
    text = slice(text, 1, text.size() - 1);
  }
  return text;
}

std::optional<std::string> divisor_of_shift(std::string_view bits) {
  const auto value = constant_value({std::string(bits)});
  if (!value || *value < 0 || *value >= 31) return std::nullopt;
  return std::to_string(1 << *value);
}

std::optional<Quotient> quotient_of(const Tokens& text) {
  const std::size_t end = past_product(text);
  if (end + 2 == text.size() && text[end] == "/") {
    return Quotient{slice(text, 0, end), text.back() == "warpSize" ? "32" : text.back()};
  }
  if (end + 3 != text.size() || !stands_at(text, end, {">", ">"})) return std::nullopt;
  const auto divisor = divisor_of_shift(text.back());
  return divisor ? std::optional(Quotient{slice(text, 0, end), *divisor}) : std::nullopt;
}

}  // namespace gtune
