#pragma once

#include <string>
#include <vector>

#include "cli/kernel_finder.hpp"

namespace gtune {

/// A word that could stand at the cursor.
struct Suggestion {
  std::string word;  // whole, with what is typed of it already
  std::string help;  // one line, may be empty
};

struct Completion {
  std::vector<Suggestion> words;
  bool files = false;  // the shell's own file names fit, too
};

/// What may stand in place of the last of `words`, which is what is typed of it, possibly nothing.
/// The words before it, without the program's name, say which command, kernel and option it
/// belongs to. Mistakes in them leave less to suggest and are no error.
[[nodiscard]] Completion complete(const std::vector<std::string>& words, KernelFinder& kernels);

}  // namespace gtune
