#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/random.hpp"

// Changes to an input that fit many formats.
namespace gtune::fuzz {

template <typename Range>
[[nodiscard]] const auto& pick(const Range& range, Random& random) {
  return range[random.below(std::size(range))];
}

[[nodiscard]] inline bool one_in(std::size_t count, Random& random) {
  return random.below(count) == 0;
}

/// A length that is mostly small and seldom up to `most`.
[[nodiscard]] std::size_t some_length(std::size_t most, Random& random);

/// Text that programs trip over: control characters, NUL, no UTF-8, paths, SQL, very long words.
[[nodiscard]] std::string hostile_text(Random& random);

/// Text of a number, of any size and form.
[[nodiscard]] std::string hostile_number(Random& random);

/// Bytes changed, inserted, removed, repeated or taken from `other`; words inserted.
[[nodiscard]] std::string mutate_bytes(std::string input, const std::string& other,
                                       std::span<const std::string_view> words, Random& random);

/// Lines removed, repeated, exchanged, cut, or taken from `other`.
[[nodiscard]] std::string mutate_lines(const std::string& input, const std::string& other,
                                       Random& random);

[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);
[[nodiscard]] std::string joined(const std::vector<std::string>& lines);

/// A JSON text with a value, a key or the nesting of it changed; bytes, where it is no JSON.
[[nodiscard]] std::string mutate_json(const std::string& text, const std::string& other,
                                      Random& random);

/// One line of a text of JSON lines changed as JSON, or the order of the lines.
[[nodiscard]] std::string mutate_json_lines(const std::string& text, const std::string& other,
                                            Random& random);

}  // namespace gtune::fuzz
