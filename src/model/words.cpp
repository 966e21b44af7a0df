#include "model/words.hpp"

#include <charconv>

namespace gtune {

std::string shortest_text(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end.ptr};
}

}  // namespace gtune
