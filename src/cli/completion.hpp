#pragma once

#include <string>
#include <vector>

#include "cli/kernel_finder.hpp"

namespace gtune {

/// A word that could stand at the cursor.
struct Suggestion {
  std::string word;  // whole, including the part that is already typed
  std::string help;  // one line, may be empty
};

struct Completion {
  std::vector<Suggestion> words;
  bool files = false;  // the shell should offer file names too
};

/// Completes the last of `words`, which is what is typed so far and may be empty. The words before
/// it, without the program's name, show which command, kernel and option it belongs to. Mistakes in
/// them reduce the suggestions and are not errors.
[[nodiscard]] Completion complete(const std::vector<std::string>& words, KernelFinder& kernels);

}  // namespace gtune
