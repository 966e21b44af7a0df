
#include "cli/commands.hpp"
#include "cli/tune_command.hpp"

namespace gtune {
namespace {

void fill_tune_command(CLI::App& command, CommandContext& context, const AskedKernel* kernel) {
  auto options = context.keep<TuneOptions>();
  options->add_to(command);
  if (kernel == nullptr) return;
  add_variant_options(command, kernel->variants);
  options->sweep.sizes.add_to(command, *kernel->spec);
  options->invocation = kernel->tuned_by();
  command.callback([&context, options, spec = kernel->spec] {
    context.action = [options, spec, folders = context.folders, line = context.command_line] {
      return tune(*spec, *options, folders, line);
    };
  });
}

}  // namespace

void add_named_tune_command(CLI::App& app, CommandContext& context, const AskedKernel& kernel) {
  CLI::App* command = app.add_subcommand(kernel.name, kernel.spec->help);
  fill_tune_command(*command, context, &kernel);
}

void add_tune_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command =
      app.add_subcommand("tune", "Tune a kernel of your own: gtune tune FILE.toml [options]");
  command->add_option("file", "The kernel's spec; its sizes and variants follow it")
      ->required()
      ->type_name("FILE.toml");
  fill_tune_command(*command, context, kernel);
}

}  // namespace gtune
