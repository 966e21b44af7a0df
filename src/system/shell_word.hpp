#pragma once

#include <string>

namespace gtune {

/// `text` as one word for a POSIX shell, quoted if necessary.
[[nodiscard]] std::string shell_word(const std::string& text);

/// A file's path as one word that a command does not take for an option: "./-k.cu" for "-k.cu".
[[nodiscard]] std::string file_word(const std::string& path);

}  // namespace gtune
