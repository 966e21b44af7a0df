#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/shell_word.hpp"
#include "cli/tune_command.hpp"
#include "cli/variants.hpp"
#include "model/error.hpp"
#include "spec/reserved_names.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

void fill_tune_command(CLI::App& command, CommandContext& context, KernelSpec own,
                       const std::string& invocation) {
  ChosenSpec chosen =
      choose_variant(std::move(own), context.words, kernel_folders(context.folders));
  auto spec = std::make_shared<KernelSpec>(std::move(chosen.spec));
  auto options = std::make_shared<TuneOptions>();
  options->invocation = invocation + chosen.given;
  options->add_to(command, *spec);
  add_variant_options(command, chosen.options);
  command.callback([&context, options, spec] {
    context.action = [&context, options, spec] {
      return tune(*spec, *options, context.folders, context.command_line);
    };
  });
}

}  // namespace

void add_kernel_commands(CLI::App& app, CommandContext& context) {
  const auto& words = context.words;
  // "gtune query sgemm ...": another command's options, not those of tuning.
  const bool asks = words.size() > 1 && !words[0].starts_with('-') && words[0] != words[1];
  for (const CatalogEntry& entry : context.specs) {
    if (is_reserved_command(entry.name)) continue;  // gtune list says so
    CLI::App* command =
        app.add_subcommand(entry.name, entry.error ? "(its spec has a mistake)" : entry.help);
    command->group("Kernels to tune");
    // The options of others are nobody's business, and take time.
    if (std::find(words.begin(), words.end(), entry.name) == words.end()) continue;
    if (asks && words[1] == entry.name) continue;
    if (!entry.error) {
      fill_tune_command(*command, context, *entry.spec, "gtune " + entry.name);
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
  fill_tune_command(*command, context, read_spec(file, kernel_folders(context.folders)),
                    "gtune tune " + shell_word(file.string()));
}

}  // namespace gtune
