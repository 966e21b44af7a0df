#pragma once

#include "cli/commands.hpp"

// The subcommands of `gtune db`.
namespace gtune {

/// The file that --db names, else the default one.
[[nodiscard]] std::filesystem::path chosen_database(const std::string& file);

void add_db_info(CLI::App& db, CommandContext& context);
void add_db_merge(CLI::App& db, CommandContext& context);
void add_db_export(CLI::App& db, CommandContext& context);
void add_db_import(CLI::App& db, CommandContext& context);
void add_db_prune(CLI::App& db, CommandContext& context);

}  // namespace gtune
