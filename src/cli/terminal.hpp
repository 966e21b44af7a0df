#pragma once

#include <string_view>

namespace gtune {

/// The number of columns if the descriptor is a terminal, else `otherwise`.
[[nodiscard]] unsigned terminal_width(int descriptor, unsigned otherwise);

/// Whether to use colours: the descriptor is a terminal, and neither NO_COLOR
/// (https://no-color.org) nor TERM=dumb forbids them.
[[nodiscard]] bool shows_colour(int descriptor);

/// "C.UTF-8", "en_US.utf8"
[[nodiscard]] bool is_utf8_locale(std::string_view name);

/// Whether to draw with block characters: the terminal shows colours, and the locale is UTF-8.
[[nodiscard]] bool shows_drawings(int descriptor);

/// Escape sequences for a terminal that shows colours.
namespace colour {
inline constexpr std::string_view heading = "\033[1m";  // bold
inline constexpr std::string_view error = "\033[1;31m";
inline constexpr std::string_view note = "\033[1;36m";
inline constexpr std::string_view end = "\033[0m";
}  // namespace colour

}  // namespace gtune
