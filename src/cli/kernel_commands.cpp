#include <memory>

#include "cli/commands.hpp"
#include "cli/shell_word.hpp"
#include "cli/tune_command.hpp"
#include "model/error.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

void fill_tune_command(CLI::App& command, CommandContext& context, std::shared_ptr<KernelSpec> spec,
                       const std::string& invocation) {
  auto options = std::make_shared<TuneOptions>();
  options->invocation = invocation;
  options->add_to(command, *spec);
  command.callback([&context, options, spec] {
    context.action = [&context, options, spec] {
      return tune(*spec, *options, context.folders, context.command_line);
    };
  });
}

}  // namespace

void add_kernel_commands(CLI::App& app, CommandContext& context) {
  const auto kernels = kernel_folders(context.folders);
  for (const CatalogEntry& entry : list_specs(context.folders)) {
    CLI::App* command =
        app.add_subcommand(entry.name, entry.error ? "(its spec has a mistake)" : entry.help);
    command->group("Kernels to tune");
    if (!entry.error) {
      fill_tune_command(*command, context,
                        std::make_shared<KernelSpec>(read_spec(entry.file, kernels)),
                        "gtune " + entry.name);
      continue;
    }
    // It can still be named: then its mistake is the answer. Others are unaffected.
    const std::string line = *entry.error;
    command->allow_extras();
    command->callback([&context, line] {
      context.action = [line]() -> int { throw UserError(ExitCode::usage, line); };
    });
  }
}

void add_tune_command(CLI::App& app, CommandContext& context, const std::filesystem::path& file) {
  CLI::App* command =
      app.add_subcommand("tune", "Tune a kernel of your own: gtune tune FILE.toml [options]");
  command->add_option("file", "The kernel's spec")->required()->type_name("FILE.toml");
  if (file.empty()) {
    command->callback([] {});
    return;
  }
  auto spec = std::make_shared<KernelSpec>(read_spec(file, kernel_folders(context.folders)));
  fill_tune_command(*command, context, std::move(spec), "gtune tune " + shell_word(file.string()));
}

}  // namespace gtune
