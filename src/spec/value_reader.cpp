#include "spec/value_reader.hpp"

#include <cmath>
#include <stdexcept>

#include "model/value_word.hpp"
#include "model/words.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

/// The shortest floating literal of C with this value: "0.5", "1.0", "1e-05".
std::string text_of(double number) {
  std::string text = shortest_text(number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

bool is_value_kind(Kind kind) {
  return kind == Kind::integer || kind == Kind::boolean || kind == Kind::real ||
         kind == Kind::string;
}

std::int64_t read_value(const SpecContext& context, const TomlValue& value,
                        const std::string& what) {
  if (!is_value_kind(value.kind)) context.expect(value, Kind::integer, what);
  if (value.kind == Kind::boolean) return value.boolean ? 1 : 0;
  if (value.kind == Kind::integer) {
    if (value.integer < first_word_value) return value.integer;
    context.fail(value.place,
                 what + " is too large; expected less than " + std::to_string(first_word_value));
  }
  if (value.kind == Kind::real && !std::isfinite(value.real)) {
    context.fail(value.place, what + " is not finite; expected a number");
  }
  const std::string word = value.kind == Kind::real ? text_of(value.real) : value.text;
  const bool is_number = word.find_first_not_of("-0123456789") == std::string::npos;
  if (value.kind == Kind::string && is_number && !word.empty()) {
    context.fail(value.place,
                 what + " is the string \"" + word + "\"; expected an integer, without quotes");
  }
  if (!is_value_word(word)) {
    context.fail(value.place,
                 what + " is '" + word + "'; expected letters, digits and _ : < > . + - * & only");
  }
  try {
    return value_of_word(word);
  } catch (const std::invalid_argument& error) {
    context.fail(value.place, what + ": " + error.what());
  }
}

}  // namespace gtune
