#pragma once

#include <string>

namespace gtune {

/// Throws UserError (usage) if a word of the command line names a file other than a spec: a source,
/// or anything that does not end in .toml. Names of kernels pass.
void refuse_other_files(const std::string& word);

}  // namespace gtune
