#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Untrusted text: from another process, another machine or somebody's file.
namespace gtune {

/// The text as part of a line that is safe for a terminal. Control characters, line ends included,
/// become spaces; bidirectional controls, Unicode line separators and invalid UTF-8 become '?'.
/// Text of more than `most` bytes is cut and ends in "...".
[[nodiscard]] std::string one_line(std::string_view text, std::size_t most = std::string::npos);

/// The same for text of several lines: keeps newlines and tabs.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace gtune
