#include <iostream>

#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "embedded/completion.bash.hpp"
#include "embedded/completion.fish.hpp"
#include "embedded/completion.zsh.hpp"

namespace gtune {
namespace {

int print_script(const std::string& shell) {
  if (shell == "bash") {
    print_out(embedded::k_completion_bash);
  } else if (shell == "zsh") {
    print_out(embedded::k_completion_zsh);
  } else {
    print_out(embedded::k_completion_fish);
  }
  return 0;
}

/// Reads words, one per line; the last one is what is typed so far and may be empty. Prints
/// suggestions with a tab before their help, and ":files" if file names fit.
int complete_from_standard_input(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::string> words;
  for (std::string word; std::getline(std::cin, word);) words.push_back(word);
  KernelFinder kernels(folders);
  const Completion completion = complete(words, kernels);
  for (const Suggestion& each : completion.words) print_out(each.word + '\t' + each.help + '\n');
  if (completion.files) print_out(":files\n");
  return 0;
}

}  // namespace

void add_completion_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  auto shell = context.keep<std::string>();
  add_choices(command->add_option("shell", *shell, "bash, zsh or fish")->required(),
              value_type::shell, {"bash", "zsh", "fish"});
  add_examples(*command, {"# In ~/.bashrc", "source <(gtune completion bash)", "# In ~/.zshrc",
                          "source <(gtune completion zsh)", "# In ~/.config/fish/config.fish",
                          "gtune completion fish | source"});
  command->callback(
      [&context, shell] { context.action = [shell] { return print_script(*shell); }; });
}

// The shells' scripts call it.
void add_complete_command(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("complete", "Complete the words on standard input (internal)");
  command->callback([&context] {
    context.action = [folders = context.folders] { return complete_from_standard_input(folders); };
  });
}

}  // namespace gtune
