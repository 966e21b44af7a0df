#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "system/write_whole_file.hpp"

namespace gtune {

/// The databases that a command line names.
struct DatabaseOptions {
  std::string own;                // --db; empty: the default one
  std::vector<std::string> also;  // --also; empty: those of $GTUNE_ALSO
  bool reads_also = true;         // false: no file of --also or $GTUNE_ALSO

  /// Adds --db and --also.
  void add_to(CLI::App& command);
  [[nodiscard]] std::filesystem::path own_file() const;
  /// The other databases to read. Throws UserError(usage) if --also names the user's own. In
  /// $GTUNE_ALSO it is skipped, so that the owner of a team database can use the same value.
  [[nodiscard]] std::vector<std::filesystem::path> also_files() const;
  /// Those files as inputs that no output may replace.
  [[nodiscard]] std::vector<NamedFile> inputs() const;
  /// " --db FILE", for commands that are to be run; "" without --db.
  [[nodiscard]] std::string own_words() const;
};

}  // namespace gtune
