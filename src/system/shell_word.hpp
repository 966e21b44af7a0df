#pragma once

#include <string>

namespace gtune {

/// `text` as one word for a POSIX shell, quoted if necessary.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace gtune
