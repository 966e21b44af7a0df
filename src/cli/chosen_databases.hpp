#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace gtune {

/// The databases that a command line names.
struct DatabaseOptions {
  std::string own;                // --db; empty: the default one
  std::vector<std::string> also;  // --also; empty: those of $GTUNE_ALSO

  /// Adds --db and --also.
  void add_to(CLI::App& command);
  [[nodiscard]] std::filesystem::path own_file() const;
  /// The databases of others that are read beside it. Throws UserError(usage) if --also names the
  /// user's own; $GTUNE_ALSO may, so that one value serves also those who write the shared
  /// database.
  [[nodiscard]] std::vector<std::filesystem::path> also_files() const;
  /// " --db FILE", for commands that are to be run; "" without --db.
  [[nodiscard]] std::string own_words() const;
};

}  // namespace gtune
