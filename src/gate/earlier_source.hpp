#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"
#include "system/scratch_folder.hpp"

namespace gtune {

/// An earlier version of kernels: a git commit, whose files are written into a temporary folder, or
/// a folder of files. Neither the repository's index nor its work tree changes.
class EarlierSource {
 public:
  /// `asked`: an existing folder, else a git ref. `home`: stands for the folder if the present
  /// files are in no git repository.
  EarlierSource(std::string asked, std::filesystem::path home);

  /// The kernel's earlier spec, whose sources are earlier ones too. `kernel_folders`: where present
  /// specs find sources. Throws UserError: `usage` if the ref does not exist or the present spec is
  /// in no git repository, `nothing_stored` if the earlier version has no such spec or it has
  /// mistakes.
  [[nodiscard]] KernelSpec spec_of(const KernelSpec& present,
                                   std::span<const std::filesystem::path> kernel_folders);

  /// Whether the earlier version has the spec's file, right or wrong. Throws UserError as spec_of.
  [[nodiscard]] bool has_file_of(const KernelSpec& present);

  /// Whether it is a folder, not a commit.
  [[nodiscard]] bool is_folder() const { return m_folder.has_value(); }
  /// "commit 1a2b3c4d5e6f (main)", "the folder old"
  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  /// Where the files of a folder are in the earlier version.
  struct Tree {
    std::filesystem::path now;
    std::filesystem::path before;
    std::unique_ptr<ScratchFolder> scratch;  // of a commit's files
  };

  const Tree& tree_of(const std::filesystem::path& spec_file);
  void extract(Tree& tree);
  [[nodiscard]] std::filesystem::path earlier_file(const Tree& tree,
                                                   const std::filesystem::path& file) const;

  std::string m_asked;
  std::filesystem::path m_home;
  std::optional<std::filesystem::path> m_folder;  // absent: a git ref
  std::string m_text;
  std::map<std::filesystem::path, Tree> m_trees;  // by the present folder
};

}  // namespace gtune
