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

/// A length that is usually small and rarely up to `most`.
[[nodiscard]] std::size_t some_length(std::size_t most, Random& random);

/// Text that trips up programs: control characters, NUL, invalid UTF-8, paths, SQL, very long
/// words.
[[nodiscard]] std::string hostile_text(Random& random);

/// A number as text, of any size and form.
[[nodiscard]] std::string hostile_number(Random& random);

/// Changes, inserts, removes or repeats bytes, takes them from `other`, or inserts words.
[[nodiscard]] std::string mutate_bytes(std::string input, const std::string& other,
                                       std::span<const std::string_view> words, Random& random);

/// Removes, repeats, swaps or cuts lines, or takes them from `other`.
[[nodiscard]] std::string mutate_lines(const std::string& input, const std::string& other,
                                       Random& random);

[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);
[[nodiscard]] std::string joined(const std::vector<std::string>& lines);

/// Changes a value, a key or the nesting of a JSON text, or bytes if it is not JSON.
[[nodiscard]] std::string mutate_json(const std::string& text, const std::string& other,
                                      Random& random);

/// Changes one line of a JSON Lines text as JSON, or the order of the lines.
[[nodiscard]] std::string mutate_json_lines(const std::string& text, const std::string& other,
                                            Random& random);

}  // namespace gtune::fuzz
