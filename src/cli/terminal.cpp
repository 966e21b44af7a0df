#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace gtune {

unsigned terminal_width(int descriptor, unsigned otherwise) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return size.ws_col;
}

bool shows_colour(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return isatty(descriptor) != 0;
}

bool shows_drawings(int descriptor) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first that is set counts
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    const bool is_utf8 = locale.find("UTF-8") != std::string_view::npos ||
                         locale.find("utf8") != std::string_view::npos;
    return is_utf8 && shows_colour(descriptor);
  }
  return false;
}

}  // namespace gtune
