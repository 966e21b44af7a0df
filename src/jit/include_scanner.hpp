#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "model/kernel_identity.hpp"

namespace gtune {

/// What decides which file an include names, beside the text.
struct IncludeSearch {
  std::vector<std::filesystem::path> folders{};       // in the compiler's order
  std::vector<std::filesystem::path> pre_included{};  // files that options include
  std::vector<std::string> defined{};                 // macros that options define
  bool beside = true;  // quoted names: first beside the including file
  /// Folders of the CUDA Toolkit: how its own headers name others is not looked into.
  std::vector<std::filesystem::path> toolkit{};

  // NOLINTNEXTLINE(modernize-use-nullptr,readability-implicit-bool-conversion): misread <=>
  auto operator<=>(const IncludeSearch&) const = default;
};

/// How the compiler looks for the includes of a source that is compiled with these options: in the
/// source's folder for names in angle brackets as well, then in the options' folders.
[[nodiscard]] IncludeSearch include_search(const std::filesystem::path& source,
                                           std::span<const std::string> options);

struct IncludeScan {
  std::vector<std::filesystem::path> files;  // sorted
  /// The kernel's own among them: included by options, or in quotes by the source or another own
  /// file and found beside that file or in the source's folder. Sorted; without the source.
  std::vector<std::filesystem::path> own;
  bool own_complete = true;  // false: an own file hides in a macro which file it includes
  /// The first place where the text does not tell which file is meant: "k.cu:3: #include HEADER".
  std::string unknown;

  [[nodiscard]] bool complete() const { return unknown.empty(); }
};

/// Every file that a source includes, directly or not, or asks for with `__has_include`, as text
/// says: conditions are not evaluated, so it may name too many, and where it is complete never too
/// few. Of a name that is a macro every definition counts. What is found nowhere is left out: the
/// compiler has some headers of its own, and a file that appears later is found by the next scan.
[[nodiscard]] IncludeScan scan_includes(const std::filesystem::path& source,
                                        const IncludeSearch& search);

/// The folders that compile options add: -IFOLDER, --include-path=FOLDER, with a blank, an equals
/// sign or in two options.
[[nodiscard]] std::vector<std::filesystem::path> include_folders(
    std::span<const std::string> options);

/// Digest of the source and the project's own includes, beside it, in the options' folders or
/// included by options: what a measurement belongs to. The toolkit's headers are covered by its
/// version. Where a file cannot be known, it is another one in every process: no measurement of an
/// earlier run is taken for a current one.
[[nodiscard]] std::string source_hash(const std::filesystem::path& source,
                                      std::span<const std::string> options);

/// What source_hash is made of, file by file: the source first, then its includes.
[[nodiscard]] std::vector<SourceFile> source_files(const std::filesystem::path& source,
                                                   std::span<const std::string> options);

/// For the user, in one line, where source_hash cannot know a file; empty where it can.
[[nodiscard]] std::string unknown_include_note(const std::filesystem::path& source,
                                               std::span<const std::string> options);

/// Contents of a file. Throws UserError(failed) where it cannot be read or is no source by its
/// size.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

}  // namespace gtune
