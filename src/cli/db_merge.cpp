#include <fmt/format.h>

#include "cli/common_options.hpp"
#include "cli/db_commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "store/merge.hpp"

namespace gtune {
namespace {

struct MergeOptions {
  std::vector<std::string> inputs;
  std::string output;
};

}  // namespace

void add_db_merge(CLI::App& db, CommandContext& context) {
  CLI::App* command =
      db.add_subcommand("merge", "Merge databases into a new one; their order does not matter");
  auto options = context.keep<MergeOptions>();
  command->add_option("inputs", options->inputs, "Databases")->required()->type_name("FILE...");
  command->add_option("-o,--output", options->output, "The new database")
      ->required()
      ->type_name(value_type::file);
  add_examples(*command, {"gtune db merge alice.db bob.db -o team.db"});
  command->callback([&context, options] {
    context.action = [options] {
      catch_database_interrupts();
      merge_databases({options->inputs.begin(), options->inputs.end()}, options->output);
      return 0;
    };
  });
}

}  // namespace gtune
