#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "model/kernel_identity.hpp"

namespace gtune {

struct IncludeScan {
  std::vector<std::filesystem::path> files;  // sorted
  bool complete = true;                      // false: there is an `#include MACRO`
};

/// Every file that a source includes, directly or not, as text says: conditions are not
/// evaluated, so it may name too many, and where it is complete never too few. Quoted names are
/// looked up beside the including file, then, like those in angle brackets, in `folders`. What
/// is found nowhere is left out: the compiler has some headers of its own.
[[nodiscard]] IncludeScan scan_includes(const std::filesystem::path& source,
                                        std::span<const std::filesystem::path> folders);

/// The folders that compile options add: -IFOLDER, --include-path=FOLDER, with a blank, an equals
/// sign or in two options.
[[nodiscard]] std::vector<std::filesystem::path> include_folders(
    std::span<const std::string> options);

/// Digest of the source and the project's own includes, beside it or in `folders`: what a
/// measurement belongs to. The toolkit's headers are covered by its version.
[[nodiscard]] std::string source_hash(const std::filesystem::path& source,
                                      std::span<const std::filesystem::path> folders);

/// What source_hash is made of, file by file: the source first, then its includes.
[[nodiscard]] std::vector<SourceFile> source_files(const std::filesystem::path& source,
                                                   std::span<const std::filesystem::path> folders);

/// Contents of a file. Throws UserError(failed) where it cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

}  // namespace gtune
