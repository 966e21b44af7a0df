#include "cli/common_options.hpp"
#include "cli/db_commands.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "store/default_path.hpp"

namespace gtune {

std::filesystem::path chosen_database(const std::string& file) {
  return file.empty() ? default_database_path() : std::filesystem::path(file);
}

void add_db_command(CLI::App& app, CommandContext& context) {
  CLI::App* db = app.add_subcommand("db", "Merge, export, import and prune databases of results");
  db->require_subcommand(1);
  add_db_info(*db, context);
  add_db_merge(*db, context);
  add_db_export(*db, context);
  add_db_import(*db, context);
  add_db_prune(*db, context);
  add_examples(*db, {"# What the default database holds", "gtune db info",
                     "# One database of a team's", "gtune db merge a.db b.db -o team.db"});
}

}  // namespace gtune
