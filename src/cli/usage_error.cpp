#include "cli/usage_error.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "spec/suggestion.hpp"

namespace gtune {
namespace {

/// "--M", "--budget".
std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The first of these words that is an option, without its value; empty if there is none.
std::string first_option(const std::vector<std::string>& words) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [](const std::string& word) { return word.starts_with("--"); });
  return found == words.end() ? "" : found->substr(0, found->find('='));
}

/// The command that was given, or the program.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* last = &app;
  while (!last->get_subcommands().empty()) last = last->get_subcommands().front();
  return *last;
}

/// "option --bugdet is not known; did you mean '--budget'?"; empty if no option is at fault.
std::string unknown_option(const CLI::App& app) {
  if (const std::string option = first_option(app.remaining()); !option.empty()) {
    const std::string meant = did_you_mean(option, long_options(app));
    if (!meant.empty()) return "option " + option + " is not known" + meant;
    return "option " + option +
           " is not known before a command; a command's own options come after it: "
           "gtune COMMAND " +
           option;
  }
  for (const CLI::App* command : app.get_subcommands()) {
    const std::string option = first_option(command->remaining(true));
    if (option.empty()) continue;
    return "option " + option + " is not known" +
           did_you_mean(option, long_options(innermost(*command)));
  }
  return "";
}

/// ", as in: gtune tune mykernel.toml"; empty if the command has no example.
std::string first_example(const CLI::App& command) {
  std::istringstream lines(command.get_footer());
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("gtune ")) return ", as in: " + line;
  }
  return "";
}

}  // namespace

UserError usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::string line;
  const bool of_options = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                          (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                           app.get_subcommands().empty());  // no command, for a misspelt option
  if (of_options) line = unknown_option(app);
  if (line.empty()) {
    const bool lacks_something = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    line = error.what() + (lacks_something ? first_example(innermost(app)) : "");
  }
  return {ExitCode::usage, line + " (see --help)"};
}

UserError option_before_kernel(const CLI::App& command, const std::string& option) {
  const std::string name = option.substr(0, option.find('='));
  const std::string meant = did_you_mean(name, long_options(command));
  const std::string first = "gtune " + command.get_name() + " KERNEL " + name;
  return {ExitCode::usage,
          "option " + name + " is not known before the kernel" +
              (meant.empty() ? "; a kernel's own options come after its name: " + first : meant) +
              " (see --help)"};
}

void require_no_empty_values(const CLI::App& app) {
  for (const CLI::App* given : app.get_subcommands()) {
    for (const CLI::Option* option : given->get_options()) {
      if (option->get_expected_min() == 0) continue;  // flags
      const std::vector<std::string>& values = option->results();
      if (std::find(values.begin(), values.end(), "") == values.end()) continue;
      throw UserError(ExitCode::usage,
                      option->get_name() + " is given an empty value (see --help)");
    }
    require_no_empty_values(*given);
  }
}

}  // namespace gtune
