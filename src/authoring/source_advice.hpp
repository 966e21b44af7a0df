#pragma once

#include <filesystem>
#include <string>

namespace gtune {

/// What to do about a source that does not compile: name the folder of a header, or the file that
/// includes the source. Begins with "; "; empty if there is no advice.
[[nodiscard]] std::string source_advice(const std::filesystem::path& source,
                                        const std::string& kernel, const std::string& reason);

}  // namespace gtune
