#pragma once

#include <algorithm>
#include <string>

namespace gtune {

/// Text from elsewhere within a line: spaces for what would end the line, or what a terminal would
/// take for a command.
[[nodiscard]] inline std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

}  // namespace gtune
