#include "cli/common_options.hpp"
#include "cli/db_commands.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "report/inventory_report.hpp"

namespace gtune {
namespace {

struct InfoOptions {
  std::string database;
  bool json = false;
};

int info(const InfoOptions& options) {
  Database database(chosen_database(options.database), OpenMode::read_only);
  const Inventory all = take_inventory(database);
  const Document report =
      inventory_report(all, database.path(), std::filesystem::file_size(database.path()));
  print_out(render(report, options.json ? Format::json : Format::text));
  return 0;
}

}  // namespace

void add_db_info(CLI::App& db, CommandContext& context) {
  CLI::App* command =
      db.add_subcommand("info", "Count the devices, kernels, runs and measurements of a database");
  auto options = context.keep<InfoOptions>();
  add_database_option(*command, options->database);
  add_json_flag(*command, options->json);
  add_examples(*command, {"gtune db info", "gtune db info --db team.db --json"});
  command->callback([&context, options] { context.action = [options] { return info(*options); }; });
}

}  // namespace gtune
