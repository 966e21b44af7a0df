#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gtune {

/// Position of `word` in the table of an enumeration's words. Throws std::invalid_argument
/// ("'x' is no WHAT") if it is missing.
template <std::size_t N>
std::size_t index_of_word(const std::array<std::string_view, N>& words, std::string_view word,
                          const char* what) {
  for (std::size_t i = 0; i < N; ++i) {
    if (words[i] == word) return i;
  }
  throw std::invalid_argument("'" + std::string(word) + "' is no " + what);
}

/// "1 mistake", "2 mistakes"
[[nodiscard]] inline std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// The shortest text that reads back as the same number: "0.5", "1", "1e-05", "inf".
[[nodiscard]] std::string shortest_text(double value);

}  // namespace gtune
