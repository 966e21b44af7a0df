#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A parameter's value is an integer. One that a spec spells as a word, such as `half` or `0.5`, is
// an integer made of the word's letters: the same in every process and every version, and from 2^62
// on, where no listed integer lies.
namespace gtune {

inline constexpr std::int64_t first_word_value = std::int64_t{1} << 62;

/// Whether the text may be a value: letters, digits, `_ : < > . + - * &` and spaces in between, at
/// most 100, and not the text of an integer.
[[nodiscard]] bool is_value_word(std::string_view text);

/// The word's integer; from now on `value_text` knows it. Throws std::invalid_argument for what is
/// no word, or has the integer of another one.
[[nodiscard]] std::int64_t value_of_word(std::string_view word);

/// The word of an integer that value_of_word gave; absent for all others.
[[nodiscard]] std::optional<std::string> word_of_value(std::int64_t value);

/// "128", or the word.
[[nodiscard]] std::string value_text(std::int64_t value);

}  // namespace gtune
