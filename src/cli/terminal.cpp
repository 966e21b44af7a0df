#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <string>
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

bool is_utf8_locale(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c != '-') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters.find("utf8") != std::string::npos;
}

bool shows_drawings(int descriptor) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first that is set counts
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return is_utf8_locale(value) && shows_colour(descriptor);
  }
  return false;
}

}  // namespace gtune
