#include "authoring/draft_limits.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "authoring/source_tokens.hpp"
#include "model/value_word.hpp"
#include "spec/expression.hpp"
#include "spec/functions.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/reserved_names.hpp"
#include "spec/scope.hpp"

namespace gtune {
namespace {

/// Bytes. The reader's limit is for several expressions together, such as a block's dimensions.
constexpr std::size_t longest_expression = 1000;
/// The levels of brackets that a draft and the reader may put around an expression.
constexpr std::size_t outer_brackets = 8;

/// Bounds of the expression's value; absent if the reader refuses it.
std::optional<Interval> values_of(const std::string& text) {
  if (text.size() > longest_expression) return std::nullopt;
  std::set<std::string> names;
  for (std::string& token : source_tokens(text)) {
    if (is_word(token) && find_function(token) == nullptr) names.insert(std::move(token));
  }
  Scope scope;
  for (const std::string& name : names) scope.add_slot(name);
  try {
    const std::string within = std::string(outer_brackets, '(') + text;
    return Expression::parse(within + std::string(outer_brackets, ')'), scope)
        .bounds(std::vector<Interval>(names.size(), {0, largest_size}));
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
}

}  // namespace

bool is_draft_expression(const std::string& text) { return values_of(text).has_value(); }

bool may_reach(const std::string& text, std::int64_t least) {
  const auto values = values_of(text);
  return values && values->fails != Fails::always && values->high >= least;
}

bool is_draft_size(std::int64_t value) { return value >= 1 && value <= largest_size; }

std::vector<std::int64_t> allowed_values(std::vector<std::int64_t> values) {
  std::erase_if(values, [](std::int64_t value) { return value > largest_size; });
  return values;
}

std::vector<std::string> allowed_words(std::vector<std::string> words) {
  std::erase_if(words, [](const std::string& word) { return !is_value_word(word); });
  return words;
}

std::string allowed_name(const std::string& wanted) {
  std::string name = wanted;
  while (name.starts_with(device_prefix)) name.erase(0, device_prefix.size());
  if (!is_word(name)) return "size";
  const bool is_taken =
      is_reserved_option(name) || is_reserved_name(name) || find_function(name) != nullptr;
  return is_taken ? name + "_size" : name;
}

bool is_scalar_value(const ElementOf& element, const std::string& constant) {
  if (!element.is_integer()) return !constant.empty() && constant != "null";
  std::int64_t value = 0;
  const char* end = constant.data() + constant.size();
  const auto [stop, error] = std::from_chars(constant.data(), end, value);
  return error == std::errc() && stop == end;
}

bool is_texel(const ElementOf& element) {
  return element.is_known && (element.count == 1 || element.count == 2 || element.count == 4);
}

std::string as_comment(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

}  // namespace gtune
