#include "cli/command_subject.hpp"

#include <CLI/CLI.hpp>

#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/parsers.hpp"
#include "cli/spec_word.hpp"
#include "cli/usage_error.hpp"
#include "model/error.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

/// A parser for the beginning of a command line. Its subcommands inherit these settings.
struct BeginParser : CLI::App {
  BeginParser() {
    set_help_flag();
    prefix_command();
    require_subcommand(1);
  }
};

/// Makes a parser read options up to the first word that is neither an option nor its value (after
/// an argument that stands before the kernel), and keep the rest. That word names what the command
/// is about, wherever the options stand.
void read_options_only(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    const bool may_be_kernel = option->get_name() != k_argument_before_kernel;
    if (option->get_positional() && may_be_kernel) command.remove_option(option);
  }
  command.add_flag("-h,--help");  // it ends the full reading, not this one
  for (CLI::App* below : all_subcommands(command)) read_options_only(*below);
}

/// The words after the options of a parser. The full reading reports mistakes in the options.
std::vector<std::string> rest_of(CLI::App& app, const std::vector<std::string>& words) {
  read_options_only(app);
  app.add_flag("--version");
  try {
    parse(app, words);
  } catch (const CLI::ParseError&) {
  }
  return app.remaining(true);
}

/// `asked`: "gtune", or "gtune db" for one of its subcommands.
[[noreturn]] void refuse_unknown_command(const std::string& what, const std::string& word,
                                         const std::vector<std::string>& known,
                                         const std::string& asked) {
  throw UserError(ExitCode::usage, what + " '" + word + "'" + did_you_mean(word, known) + " (see " +
                                       asked + " --help)");
}

/// Reads the command, which needs only the names of commands.
CommandSubject read_command(const std::vector<std::string>& words, KernelFinder& kernels) {
  BeginParser app;
  for (const std::string& name : command_names()) app.add_subcommand(name);
  const std::vector<std::string> rest = rest_of(app, words);
  if (const CLI::App& given = given_command(app); &given != &app) {
    return {given.get_name(), std::nullopt};
  }
  if (rest.empty() || is_option(rest.front())) return {};
  if (kernels.find(rest.front())) return {"", rest.front()};
  refuse_other_files(rest.front());
  std::vector<std::string> known = kernels.names();
  for (const std::string& name : commands_for_people()) known.push_back(name);
  refuse_unknown_command("no kernel or command", rest.front(), known, "gtune");
}

/// Reads the kernel that the command is about, which needs the command's own options.
std::optional<std::string> read_kernel(const std::string& name,
                                       const std::vector<std::string>& words) {
  BeginParser app;
  CommandContext context;
  declare_command(app, context, name, nullptr);
  const std::vector<std::string> rest = rest_of(app, words);
  if (rest.empty()) return std::nullopt;
  CLI::App& given = given_command(app);
  const std::string& word = rest.front();
  if (is_kernel_command(full_name(given))) {
    if (is_option(word)) throw option_before_kernel(given, word);
    return word;
  }
  std::vector<std::string> below;
  for (const CLI::App* command : all_subcommands(given)) below.push_back(command->get_name());
  if (!below.empty() && !is_option(word)) {
    refuse_unknown_command("gtune " + name + " has no command", word, below, "gtune " + name);
  }
  return std::nullopt;
}

}  // namespace

CommandSubject read_subject(const std::vector<std::string>& words, KernelFinder& kernels) {
  CommandSubject subject = read_command(words, kernels);
  if (!subject.command.empty()) subject.kernel = read_kernel(subject.command, words);
  return subject;
}

}  // namespace gtune
