#include "cli/db_commands.hpp"
#include "store/default_path.hpp"

namespace gtune {

void add_database_option(CLI::App& command, std::string& file) {
  command.add_option("--db", file, "Database file [$GTUNE_DB, else the XDG data folder]");
}

std::filesystem::path chosen_database(const std::string& file) {
  return file.empty() ? default_database_path() : std::filesystem::path(file);
}

void add_db_command(CLI::App& app, CommandContext& context) {
  CLI::App* db =
      app.add_subcommand("db", "Databases: info, merge, export, import, prune (docs/database.md)");
  db->require_subcommand(1);
  add_db_info(*db, context);
  add_db_merge(*db, context);
  add_db_export(*db, context);
  add_db_import(*db, context);
  add_db_prune(*db, context);
}

}  // namespace gtune
