#pragma once

#include <cstddef>
#include <vector>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// A `for` or `while` of a body, as positions in its tokens.
struct Loop {
  std::size_t keyword = 0;
  std::size_t head = 0;  // its opening parenthesis
  std::size_t body = 0;  // what follows the closing one
  std::size_t end = 0;   // the position after the body

  [[nodiscard]] bool contains(std::size_t at) const { return head < at && at < end; }
};

/// The loops in the order of the text. A `do` counts from its `while` on, without its body.
[[nodiscard]] std::vector<Loop> loops_in(const Tokens& body);

/// The parts of the loop's head: three for a `for`, one for a `while`; none for a range.
[[nodiscard]] std::vector<Tokens> parts_of_head(const Tokens& body, const Loop& loop);

}  // namespace gtune
