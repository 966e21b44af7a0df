
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/parsers.hpp"
#include "cli/tune_command.hpp"
#include "cli/value_types.hpp"

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

/// Examples with the kernel's own name and first size.
std::vector<std::string> own_examples(const AskedKernel& kernel) {
  const std::string tune = "gtune " + kernel.name;
  if (kernel.spec->sizes.empty()) return {tune};
  const std::string size = " --" + kernel.spec->sizes.front().name;
  return {"# Tune two sizes on GPU 0, a minute on average for each",
          tune + size + " 1024,4096 --device 0 --budget 60s",
          "# Measure every configuration and record them for --device replay:FILE",
          tune + size + " 1024 --device 0 --record space.jsonl"};
}

}  // namespace

void add_named_tune_command(CLI::App& app, CommandContext& context, const AskedKernel& kernel) {
  CLI::App* command = app.add_subcommand(kernel.name, kernel.spec->help);
  fill_tune_command(*command, context, &kernel);
  add_examples(*command, own_examples(kernel));
}

void add_tune_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command = app.add_subcommand("tune", "Tune a kernel of your own");
  command->add_option(k_kernel_argument, "The kernel's spec; its sizes and variants follow it")
      ->required()
      ->type_name(value_type::spec_file);
  fill_tune_command(*command, context, kernel);
  add_examples(*command, {"gtune tune mykernel.toml", "# For two minutes, on every GPU",
                          "gtune tune mykernel.toml --budget 2m --device all"});
}

}  // namespace gtune
