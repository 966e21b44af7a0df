#include "cli/usage_error.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <vector>

#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
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

/// "KERNEL" for an argument, "--budget" for an option.
std::string shown_name(const CLI::Option& option) {
  return option.get_positional() ? value_type_of(option) : option.get_name();
}

/// Null if the command has none.
const CLI::Option* find_option(const CLI::App& command, const std::string& name) {
  const auto all = command.get_options();
  const auto found = std::find_if(all.begin(), all.end(), [&](const CLI::Option* option) {
    return option->get_name() == name || option->get_name(true) == name;
  });
  return found == all.end() ? nullptr : *found;
}

/// "KERNEL is missing, as in: gtune query sgemm"
std::string missing_part(const CLI::App& app) {
  const CLI::App& command = innermost(app);
  std::string what = &command == &app ? "a kernel or a command" : "a command";
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_required() && option->count() == 0) what = shown_name(*option);
  }
  return what + " is missing" + first_example(command);
}

/// "--stride needs a value (1|2|4)", "--db is given twice",
/// "--table needs 2 values or more and has 1"
std::string wrong_count(const CLI::Option& option) {
  const int least = option.get_items_expected_min();
  if (least < 2 && option.count() > 1) {
    const std::string times = std::to_string(option.count()) + " times";
    return shown_name(option) + " is given " + (option.count() == 2 ? "twice" : times);
  }
  if (option.count() == 0 || least < 2) {
    return shown_name(option) + " needs a value (" + value_type_of(option) + ")";
  }
  return shown_name(option) + " needs " + std::to_string(least) + " values or more and has " +
         std::to_string(option.count());
}

/// CLI11's "bash not in {a,b}" and "Value 0 not in range 1 to 9" in this program's words; empty for
/// any other text.
std::string wrong_value(const CLI::Option& option, const std::string& text) {
  static const std::regex of_words(R"((\S+) not in \{(.*)\})");
  static const std::regex of_range(R"(Value (\S+) not in range (\S+) to (\S+))");
  std::smatch parts;
  if (std::regex_match(text, parts, of_words)) {
    std::string words = parts[2];
    for (std::size_t at = 0; (at = words.find(',', at)) != words.npos; at += 2) {
      words.replace(at, 1, ", ");
    }
    if (const std::size_t last = words.rfind(", "); last != words.npos)
      words.replace(last, 1, " or");
    return shown_name(option) + " is '" + parts[1].str() + "'; expected " + words;
  }
  if (!std::regex_match(text, parts, of_range)) return "";
  return shown_name(option) + " is " + parts[1].str() + "; expected " + parts[2].str() + " to " +
         parts[3].str();
}

/// What CLI11 says in this program's words.
std::string reworded(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing_part(app);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> words = app.remaining(true);
    return words.empty() ? text : "'" + words.front() + "' is not expected here";
  }
  const std::size_t colon = text.find(": ");
  const CLI::Option* option =
      colon == text.npos ? nullptr : find_option(innermost(app), text.substr(0, colon));
  if (option == nullptr) return text;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return wrong_count(*option);
  const std::string own = wrong_value(*option, text.substr(colon + 2));
  return own.empty() ? text : own;
}

}  // namespace

UserError usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::string line;
  const bool of_options = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                          (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                           app.get_subcommands().empty());  // no command, for a misspelt option
  if (of_options) line = unknown_option(app);
  if (line.empty()) line = reworded(app, error);
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
