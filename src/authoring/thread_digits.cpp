#include "authoring/thread_digits.hpp"

#include <algorithm>
#include <bit>

#include "authoring/macro_outline.hpp"

namespace gtune {
namespace {

constexpr int deepest_digit = 6;
constexpr std::size_t most_named = 32;

/// The position after the operand of a division at `at`: a word, a number, or what is in brackets.
/// `at` itself if something else follows.
std::size_t past_divisor(const Tokens& body, std::size_t at) {
  if (token_at(body, at) == "(") return past_brackets(body, at, most_index_tokens);
  const bool is_one = is_word(token_at(body, at)) || is_number(token_at(body, at));
  const std::string_view next = token_at(body, at + 1);
  return is_one && next != "." && next != "(" && next != ":" ? at + 1 : at;
}

/// What an operator and its operand make of a number.
struct Operation {
  bool is_remainder = false;
  Tokens operand;
  std::size_t end = 0;
};

/// `/ 32`, `% (BN / TN)` or `>> 5` at `at`.
std::optional<Operation> operation_at(const Tokens& body, std::size_t at) {
  const std::string_view sign = token_at(body, at);
  if (stands_at(body, at, {">", ">"})) {
    const auto divisor = divisor_of_shift(token_at(body, at + 2));
    return divisor ? std::optional(Operation{false, {*divisor}, at + 3}) : std::nullopt;
  }
  if (sign != "/" && sign != "%") return std::nullopt;
  const std::size_t end = past_divisor(body, at + 1);
  if (end == at + 1 || token_at(body, end) == "=") return std::nullopt;
  return Operation{sign == "%", slice(body, at + 1, end), end};
}

/// The radix in `& 31`, `& (SIZE - 1)` at the end of a text.
std::optional<Tokens> radix_of_mask(const Tokens& mask) {
  const Tokens bare = without_brackets(mask);
  if (const auto value = constant_value(bare)) {
    const bool is_mask = *value > 0 && std::has_single_bit(static_cast<std::uint64_t>(*value) + 1);
    return is_mask ? std::optional(Tokens{std::to_string(*value + 1)}) : std::nullopt;
  }
  const bool is_one_less = bare.size() > 2 && stands_at(bare, bare.size() - 2, {"-", "1"});
  return is_one_less ? std::optional(slice(bare, 0, bare.size() - 2)) : std::nullopt;
}

class DigitReader {
 public:
  explicit DigitReader(const LocalNames& locals) : m_locals(locals) {}

  /// The digit that a text is; absent if it is none.
  [[nodiscard]] std::optional<ThreadDigit> of(const Tokens& text, int depth = 0) const {
    const Tokens bare = without_brackets(text);
    if (depth == deepest_digit || bare.empty()) return std::nullopt;
    if (bare == Tokens{"threadIdx", ".", "x"}) return ThreadDigit{};
    if (bare.size() == 1) {
      const bool is_variable = m_locals.is_local(bare[0]) && !m_locals.is_moved(bare[0]);
      return is_variable ? of(m_locals.only_definition(bare[0]), depth + 1) : std::nullopt;
    }
    const std::size_t first = token_at(bare, 0) == "("           ? past_brackets(bare, 0)
                              : token_at(bare, 0) == "threadIdx" ? 3
                                                                 : 1;
    std::optional<ThreadDigit> digit = of(slice(bare, 0, first), depth + 1);
    for (std::size_t at = first; digit && at < bare.size();) {
      auto operation = operation_at(bare, at);
      if (token_at(bare, at) == "&" && token_at(bare, at + 1) != "&") {
        auto radix = radix_of_mask(slice(bare, at + 1, bare.size()));
        if (radix) operation = Operation{true, std::move(*radix), bare.size()};
      }
      if (!operation) return std::nullopt;
      digit = changed(*digit, *operation);
      at = operation->end;
    }
    return digit;
  }

 private:
  [[nodiscard]] std::optional<ThreadDigit> changed(ThreadDigit digit,
                                                   const Operation& operation) const {
    const auto operand = factor_of(operation.operand);
    if (!operand) return std::nullopt;
    if (operation.is_remainder) {
      digit.radix = operand;
      return digit;
    }
    if (digit.radix) {
      digit.radix = exact_quotient(*digit.radix, *operand);
      if (!digit.radix) return std::nullopt;
    }
    digit.divisor = digit.divisor * *operand;
    return digit;
  }

  /// One product or one quotient, of names that are not local.
  [[nodiscard]] std::optional<IndexTerm> factor_of(const Tokens& text) const {
    const auto terms = index_terms(text);
    if (terms && terms->size() != 1) return std::nullopt;
    const auto product = largest_product(text);
    if (!product) return std::nullopt;
    return m_locals.without_locals(product->of);
  }

  const LocalNames& m_locals;
};

/// Whether a digit that begins at `at` is no part of a product, such as `2 * threadIdx.x / 32`.
bool begins_operand(const Tokens& body, std::size_t at) {
  const std::string_view before = at > 0 ? std::string_view(body[at - 1]) : "";
  return before != "*" && before != "/" && before != "%" && before != ".";
}

/// `lane = threadIdx.x % 32` for `lane = threadIdx.x & 31`.
Tokens with_remainders(const Tokens& body) {
  const LocalNames locals(body);
  const DigitReader digits(locals);
  Tokens written;
  for (std::size_t at = 0; at < body.size(); ++at) {
    const bool is_mask = body[at] == "&" && token_at(body, at + 1) != "&" && at > 1;
    const std::size_t end = is_mask ? past_divisor(body, at + 1) : at;
    const bool is_thread = at > 3 && stands_at(body, at - 3, {"threadIdx", ".", "x"});
    const std::size_t begin = is_thread ? at - 3 : at - std::min<std::size_t>(at, 1);
    const std::string_view before = begin > 0 ? token_at(body, begin - 1) : "";
    const std::string_view after = token_at(body, end);
    const bool is_all = end > at + 1 && (before == "=" || before == "(") &&
                        (after == ";" || after == "," || after == ")");
    const auto radix = is_all && digits.of(slice(body, begin, at))
                           ? radix_of_mask(slice(body, at + 1, end))
                           : std::nullopt;
    if (!radix) {
      written.push_back(body[at]);
      continue;
    }
    written.emplace_back("%");
    if (radix->size() > 1) written.emplace_back("(");
    append(written, *radix);
    if (radix->size() > 1) written.emplace_back(")");
    at = end - 1;
  }
  return written;
}

Tokens named_digits(const Tokens& body) {
  const LocalNames locals(body);
  const DigitReader digits(locals);
  std::map<std::string, std::string> names;  // by text
  Tokens definitions, named;
  for (std::size_t at = 0; at < body.size();) {
    const bool is_thread = stands_at(body, at, {"threadIdx", ".", "x"});
    const bool is_digit = is_thread || (locals.is_local(body[at]) && digits.of({body[at]}));
    std::size_t end = at + (is_thread ? 3 : 1);
    bool is_changed = false;
    while (is_digit && begins_operand(body, at)) {
      const auto operation = operation_at(body, end);
      if (!operation || !digits.of(slice(body, at, operation->end))) break;
      end = operation->end;
      is_changed = true;
    }
    const bool ends_definition = token_at(body, end) == ";" || token_at(body, end) == ",";
    const bool is_whole = at > 0 && body[at - 1] == "=" && ends_definition;
    if (!is_changed || is_whole || names.size() >= most_named) {
      named.push_back(body[at++]);
      continue;
    }
    const Tokens text = slice(body, at, end);
    const auto [name, is_new] =
        names.emplace(joined(text), "thread_digit_" + std::to_string(names.size()));
    if (is_new) {
      append(definitions, {"int", name->second, "="});
      append(definitions, text);
      definitions.emplace_back(";");
    }
    named.push_back(name->second);
    at = end;
  }
  if (!named.empty()) named.insert(named.begin() + 1, definitions.begin(), definitions.end());
  return named;
}

}  // namespace

std::optional<IndexTerm> exact_quotient(const IndexTerm& a, const IndexTerm& b) {
  if (const auto whole = quotient(a, b)) return whole;
  const std::size_t words = b.factors.size() + (b.number == 1 ? 0 : 1);
  const bool is_simple = words == 1 && !b.text().starts_with('(') && !a.factors.empty() &&
                         !a.factors.back().starts_with('(');
  if (!is_simple) return std::nullopt;
  IndexTerm rest = a;
  rest.factors.back() = "(" + rest.factors.back() + " / " + b.text() + ")";
  return rest;
}

Tokens with_named_digits(const Tokens& body) { return named_digits(with_remainders(body)); }

std::optional<ThreadDigit> thread_digit(const Tokens& text, const LocalNames& locals) {
  return DigitReader(locals).of(text);
}

std::map<std::string, ThreadDigit> thread_digits(const LocalNames& locals) {
  const DigitReader reader(locals);
  std::map<std::string, ThreadDigit> digits;
  for (const auto& [name, definitions] : locals.definitions()) {
    const auto digit = reader.of({name});
    const bool is_all = digit && !digit->radix && digit->divisor.text() == "1";
    if (digit && !is_all) digits.emplace(name, *digit);
  }
  return digits;
}

}  // namespace gtune
