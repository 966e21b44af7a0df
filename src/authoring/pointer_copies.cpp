#include "authoring/pointer_copies.hpp"

#include "authoring/index_terms.hpp"
#include "authoring/local_names.hpp"
#include "authoring/plain_arithmetic.hpp"

namespace gtune {
namespace {

bool ends_declarator(std::string_view token) { return token == ";" || token == ","; }

/// The text from `at` to the end of the declarator; empty if it is too long.
Tokens declarator_at(const Tokens& body, std::size_t at) {
  const std::size_t begin = at;
  while (at < body.size() && at - begin <= most_index_tokens && !ends_declarator(body[at])) {
    const bool opens = body[at] == "(" || body[at] == "[";
    at = opens ? past_brackets(body, at, most_index_tokens) : at + 1;
  }
  return at - begin > most_index_tokens ? Tokens() : slice(body, begin, at);
}

/// The positions of a sum's `+` outside of brackets; none if it has any other operator of that or a
/// lower rank.
std::vector<std::size_t> signs_of_sum(const Tokens& text) {
  std::vector<std::size_t> signs;
  for (std::size_t at = 0; at < text.size();) {
    constexpr std::string_view others = "-?:<>=&|^!";
    if (text[at].size() == 1 && others.find(text[at].front()) != others.npos) return {};
    if (text[at] == "+") signs.push_back(at);
    const bool opens = text[at] == "(" || text[at] == "[";
    at = opens ? past_brackets(text, at) : at + 1;
  }
  return signs;
}

bool is_pointer_at(const Tokens& text, std::size_t at, const Tokens& pointer) {
  return slice(text, at, at + pointer.size()) == pointer;
}

}  // namespace

std::optional<Tokens> offset_from(Tokens text, const Tokens& pointer) {
  text = without_brackets(std::move(text));
  if (text == pointer) return Tokens();
  const std::size_t length = pointer.size();
  if (token_at(text, 0) == "&") {
    const Tokens element = without_brackets(slice(text, 1, text.size()));
    const bool is_element = is_pointer_at(element, 0, pointer) &&
                            token_at(element, length) == "[" &&
                            past_brackets(element, length) == element.size();
    if (!is_element) return std::nullopt;
    return slice(element, length + 1, element.size() - 1);
  }
  if (is_pointer_at(text, 0, pointer) && token_at(text, length) == "+") {
    return slice(text, length + 1, text.size());
  }
  const auto signs = signs_of_sum(text);
  if (signs.empty()) return std::nullopt;
  if (token_at(text, 0) == "(" && past_brackets(text, 0) == signs.front()) {  // (x + i) + j
    auto inner = offset_from(slice(text, 0, signs.front()), pointer);
    if (!inner) return std::nullopt;
    if (!inner->empty()) inner->emplace_back("+");
    const Tokens rest = slice(text, signs.front() + 1, text.size());
    inner->insert(inner->end(), rest.begin(), rest.end());
    return inner;
  }
  if (slice(text, signs.back() + 1, text.size()) != pointer) return std::nullopt;
  return slice(text, 0, signs.back());  // i + x
}

std::optional<PointerCopy> copy_of_pointer(const Tokens& body, std::size_t at, std::size_t length) {
  std::size_t equals = at;
  while (equals > 0 && at - equals <= most_index_tokens && body[equals] != "=") {
    if (ends_declarator(body[equals]) || body[equals] == "{" || body[equals] == "}") {
      return std::nullopt;
    }
    --equals;
  }
  if (equals == 0 || body[equals] != "=" || !is_word(body[equals - 1])) return std::nullopt;
  const std::string_view before = equals > 1 ? token_at(body, equals - 2) : "";
  if (before == "." || before == ">") return std::nullopt;
  const Tokens text = declarator_at(body, equals + 1);
  const Tokens pointer = slice(body, at, at + length);
  if (pointer == Tokens{body[equals - 1]} || text.empty()) return std::nullopt;
  auto offset = offset_from(text, pointer);
  if (!offset) return std::nullopt;
  return PointerCopy{body[equals - 1], std::move(*offset), equals - 1, equals + 1 + text.size()};
}

std::optional<PointerCast> cast_of_pointer(const Tokens& body, std::size_t at, std::size_t length) {
  const std::size_t first = at > 0 && body[at - 1] == "&" ? at - 1 : at;
  std::size_t open = first;
  while (open > 1 && body[open - 1] == "(") --open;
  if (open == first || open == 0) return std::nullopt;
  const auto bytes = bytes_of_view(body[open - 1]);
  if (!bytes) return std::nullopt;
  std::size_t end = past_brackets(body, open, most_index_tokens);
  auto offset = offset_from(slice(body, open, end), slice(body, at, at + length));
  if (!offset) return std::nullopt;
  std::size_t begin = open - 1;
  while (begin > 1 && body[begin - 1] == "(" && token_at(body, end) == ")" &&
         !is_word(body[begin - 2])) {
    --begin;
    ++end;
  }
  return PointerCast{begin, end - begin, *bytes, std::move(*offset)};
}

std::size_t next_definition(const Tokens& body, const std::string& name, std::size_t after) {
  for (std::size_t at = after + 1; at < body.size(); ++at) {
    const bool is_defined = body[at] == name && body[at - 1] != "." &&
                            token_at(body, at + 1) == "=" && !is_equality(body, at + 1);
    const bool is_element = is_dereferenced(body, at, 1);  // *p = 1;
    if (is_defined && !is_element && !is_moved_by_itself(body, at, 1)) return at;
  }
  return body.size();
}

bool is_dereferenced(const Tokens& body, std::size_t at, std::size_t length) {
  const bool is_prefixed = at > 1 && body[at - 1] == "+" && body[at - 2] == "+";
  if (is_prefixed) at -= 2;
  if (at < 2 || token_at(body, at + length) == "[") return false;
  const std::string& outer = body[at - 2];
  const bool is_keyword = outer == "return" || outer == "else" || outer == "do";
  // `float *total` declares it.
  return body[at - 1] == "*" && (is_keyword || !is_word(outer));
}

bool is_declared_with_value(const Tokens& body, std::size_t at) {
  if (at == 0 || token_at(body, at + 1) != "=" || is_equality(body, at + 1)) return false;
  return is_word(body[at - 1]) || (body[at - 1] == "*" && !is_dereferenced(body, at, 1));
}

Tokens until_end_of_sum(const Tokens& body, std::size_t at) {
  const std::size_t begin = at;
  while (at < body.size() && at - begin <= most_index_tokens) {
    const std::string& token = body[at];
    if (token == ";" || token == "," || token == ")" || token == "]" || token == "}") break;
    at = token == "(" || token == "[" ? past_brackets(body, at, most_index_tokens) : at + 1;
  }
  return at - begin > most_index_tokens ? Tokens() : slice(body, begin, at);
}

bool is_moved_by_itself(const Tokens& body, std::size_t at, std::size_t length) {
  if (token_at(body, at + length) != "=") return false;
  const Tokens name = slice(body, at, at + length);
  const std::size_t value = at + length + 1;
  return is_pointer_at(body, value, name) && token_at(body, value + length) == "+";
}

}  // namespace gtune
