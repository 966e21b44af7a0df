#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "model/kernel_identity.hpp"

namespace gtune {

/// The search path for includes. With the source's text, it decides which file an include names.
struct IncludeSearch {
  std::vector<std::filesystem::path> folders{};       // in the compiler's order
  std::vector<std::filesystem::path> pre_included{};  // files that options include
  std::vector<std::string> defined{};                 // macros that options define
  bool beside = true;  // quoted names are first looked up beside the including file
  /// Folders of the CUDA Toolkit. Unknown includes in its headers are ignored.
  std::vector<std::filesystem::path> toolkit{};

  // NOLINTNEXTLINE(modernize-use-nullptr,readability-implicit-bool-conversion): misread <=>
  auto operator<=>(const IncludeSearch&) const = default;
};

/// The search path for includes of a source that is compiled with these options: the source's
/// folder, also for names in angle brackets, then the options' folders.
[[nodiscard]] IncludeSearch include_search(const std::filesystem::path& source,
                                           std::span<const std::string> options);

struct IncludeScan {
  std::vector<std::filesystem::path> files;  // sorted
  /// The kernel's own headers: included by options, or included in quotes by the source or an own
  /// header and found beside that file or in the source's folder. Sorted; without the source.
  std::vector<std::filesystem::path> own;
  bool own_complete = true;  // false: an own file includes an unknown file through a macro
  /// The first include whose file is unknown: "k.cu:3: #include HEADER"; empty if all are known.
  std::string unknown;

  [[nodiscard]] bool complete() const { return unknown.empty(); }
};

/// Finds every file that a source includes, directly or indirectly, or tests with `__has_include`.
/// Conditions are not evaluated, so there may be too many files; if the scan is complete, none is
/// missing. For a macro in an include, every definition counts. Files that do not exist are left
/// out: the compiler has built-in headers, and the next scan finds a file that appears later.
[[nodiscard]] IncludeScan scan_includes(const std::filesystem::path& source,
                                        const IncludeSearch& search);

/// The folders that compile options add: -IFOLDER or --include-path=FOLDER, also with a blank or an
/// equals sign, or as two options.
[[nodiscard]] std::vector<std::filesystem::path> include_folders(
    std::span<const std::string> options);

/// Digest of the source and the project's includes (beside it, in the options' folders, or included
/// by options). It identifies the code that a measurement belongs to; the toolkit's headers are
/// identified by its version. If a file is unknown, the digest differs in every process, so no
/// earlier measurement counts as current.
[[nodiscard]] std::string source_hash(const std::filesystem::path& source,
                                      std::span<const std::string> options);

/// The files that source_hash covers: the source first, then its includes.
[[nodiscard]] std::vector<SourceFile> source_files(const std::filesystem::path& source,
                                                   std::span<const std::string> options);

/// A line for the user if source_hash cannot determine a file; empty if it can.
[[nodiscard]] std::string unknown_include_note(const std::filesystem::path& source,
                                               std::span<const std::string> options);

/// Reads a file; without its byte order mark, if any. Throws UserError(failed) if it cannot be read
/// or is too large for a source.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

/// Throws UserError (failed) if the compilers cannot read the text's encoding or its line ends.
void refuse_encoding(const std::filesystem::path& file, std::string_view text);

}  // namespace gtune
