#include <algorithm>

#include "cli/common_options.hpp"
#include "cli/db_commands.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "report/inventory_report.hpp"
#include "spec/suggestion.hpp"
#include "system/shell_word.hpp"

namespace gtune {
namespace {

struct PruneOptions {
  std::string database;
  std::string kernel;
  bool dry_run = false;
};

/// A misspelt name would remove nothing and look as if there were nothing to remove.
void require_stored(Database& database, const std::string& kernel) {
  std::vector<std::string> known;
  for (const StoredKernel& each : take_inventory(database).kernels) known.push_back(each.name);
  if (std::find(known.begin(), known.end(), kernel) != known.end()) return;
  throw UserError(ExitCode::usage, "--kernel " + shell_word(kernel) + ": it has no stored results" +
                                       did_you_mean(kernel, known) + " (see gtune db info)");
}

int prune_command(const PruneOptions& options) {
  const std::filesystem::path path = chosen_database(options.database);
  // Opening a missing file for reading throws; OpenMode::create would make it.
  if (!std::filesystem::exists(path)) (void)Database(path, OpenMode::read_only);
  Database database(path, OpenMode::create);
  if (!options.kernel.empty()) require_stored(database, options.kernel);
  const Pruned pruned = prune(database, options.kernel, options.dry_run);
  print_out(text_of(pruned_report(pruned, options.dry_run)));
  return 0;
}

}  // namespace

void add_db_prune(CLI::App& db, CommandContext& context) {
  CLI::App* command =
      db.add_subcommand("prune", "Remove results of older sources and specs of a kernel");
  auto options = context.keep<PruneOptions>();
  add_database_option(*command, options->database);
  command->add_option("--kernel", options->kernel, "Only results of this kernel")
      ->type_name(value_type::stored_kernel);
  command->add_flag("--dry-run", options->dry_run, "Only print what would be removed");
  add_examples(*command, {"gtune db prune --dry-run", "gtune db prune --kernel sgemm"});
  command->callback(
      [&context, options] { context.action = [options] { return prune_command(*options); }; });
}

}  // namespace gtune
