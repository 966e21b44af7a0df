#include "system/shell_word.hpp"

namespace gtune {

std::string shell_word(const std::string& text) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string file_word(const std::string& path) {
  return shell_word(path.starts_with('-') ? "./" + path : path);
}

}  // namespace gtune
