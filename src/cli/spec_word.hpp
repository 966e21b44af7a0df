#pragma once

#include <string>

namespace gtune {

/// Throws UserError (usage) for a word of the command line that is a file's name, and not a
/// spec's: a CUDA source, or whatever does not end with .toml. Names of kernels pass.
void refuse_other_files(const std::string& word);

}  // namespace gtune
