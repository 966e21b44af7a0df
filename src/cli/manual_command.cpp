#include <filesystem>

#include "cli/command_help.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/manual_page.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

/// Collects the help of the command and of its subcommands for people.
void collect_help(CLI::App& command, std::vector<CommandHelp>& all) {
  all.push_back(command_help(command));
  for (CLI::App* below : all_subcommands(command)) {
    if (!below->get_group().empty()) collect_help(*below, all);
  }
}

int write_manual(const std::filesystem::path& folder) {
  CLI::App app;
  CommandContext context;
  describe_program(app);
  declare_commands(app, context);
  add_program_examples(app);
  std::vector<CommandHelp> all;
  collect_help(app, all);
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const CommandHelp& help : all) names.push_back(manual_name(help));
  std::filesystem::create_directories(folder);
  for (const CommandHelp& help : all) {
    write_whole_file(folder / (manual_name(help) + ".1"), manual_page(help, names));
  }
  return 0;
}

}  // namespace

// The build calls it.
void add_manual_command(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("manual", "Write the manual pages into a folder (internal)");
  auto folder = context.keep<std::string>();
  command->add_option("folder", *folder, "Created if missing")
      ->required()
      ->type_name(value_type::folder);
  command->callback(
      [&context, folder] { context.action = [folder] { return write_manual(*folder); }; });
}

}  // namespace gtune
