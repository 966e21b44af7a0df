#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A parameter's value is an integer. A value that a spec spells as a word, such as `half` or `0.5`,
// becomes a hash of the word. The hash is the same in every process and version, and at least 2^62,
// above all listed integers.
namespace gtune {

inline constexpr std::int64_t first_word_value = std::int64_t{1} << 62;

/// Whether the text may be a value: at most 100 letters, digits, `_ : < > . + - * &` and inner
/// spaces, and not the text of an integer.
[[nodiscard]] bool is_value_word(std::string_view text);

/// The word's integer, which `value_text` knows from now on. Throws std::invalid_argument if it is
/// not a value word, or collides with another word.
[[nodiscard]] std::int64_t value_of_word(std::string_view word);

/// The word of an integer that value_of_word returned; absent for all others.
[[nodiscard]] std::optional<std::string> word_of_value(std::int64_t value);

/// "128", or the word of the value.
[[nodiscard]] std::string value_text(std::int64_t value);

}  // namespace gtune
