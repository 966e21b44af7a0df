#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Text from elsewhere: another process, another machine, somebody's file.
namespace gtune {

/// The text as a part of a line that a terminal may be shown: spaces for what would end the line or
/// is a command to a terminal, '?' for what turns the writing's direction and for bytes that are no
/// UTF-8. What is longer than `most` bytes ends in "...".
[[nodiscard]] std::string one_line(std::string_view text, std::size_t most = std::string::npos);

/// The same for text of several lines: line ends and tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace gtune
