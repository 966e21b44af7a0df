#include "cli/command_help.hpp"

#include <algorithm>

#include "cli/parsers.hpp"
#include "cli/value_types.hpp"

namespace gtune {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool is_optional_value(const CLI::Option& option) { return option.get_items_expected_min() == 0; }

/// "-o, --output FILE"; "FILE..." for an argument.
std::string term_of(const CLI::Option& option) {
  std::string type = value_type_of(option);
  if (option.get_positional()) return type;
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  std::string term = joined(names);
  if (!takes_value(option)) return term;
  return term + (is_optional_value(option) ? " [" + type + "]" : " " + type);
}

std::string excluded_by(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const CLI::Option* other : option.get_excludes()) names.push_back(other->get_name());
  std::sort(names.begin(), names.end());  // CLI11 orders them by address
  return names.empty() ? "" : " (not with " + joined(names) + ")";
}

/// Puts the default value at the end of the first line, since a list may follow.
std::string text_of(const CLI::Option& option) {
  const std::string value = option.get_default_str();
  std::string text = option.get_description();
  text.insert(std::min(text.find('\n'), text.size()),
              (value.empty() ? "" : " [" + value + "]") + excluded_by(option));
  return text;
}

HelpSection argument_section(const CLI::App& command) {
  HelpSection section{"Arguments", {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) section.entries.push_back({term_of(*option), text_of(*option)});
  }
  return section;
}

/// The kernel's sizes and variants come first, the options that every command has last.
int rank(const std::string& group) {
  if (group == option_group::sizes) return 0;
  if (group == option_group::variants) return 1;
  return group == option_group::other ? 3 : 2;
}

std::vector<HelpSection> option_sections(const CLI::App& command) {
  std::vector<std::string> groups;
  for (const CLI::Option* option : command.get_options()) {
    const std::string& group = option->get_group();
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::vector<HelpSection> sections;
  for (const std::string& group : groups) {
    HelpSection section{group, {}};
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_group() != group || option->get_positional()) continue;
      section.entries.push_back({term_of(*option), text_of(*option)});
    }
    if (!section.entries.empty()) sections.push_back(std::move(section));
  }
  return sections;
}

/// The commands for people, by group; internal ones have no group.
std::vector<HelpSection> command_sections(const CLI::App& command) {
  std::vector<HelpSection> sections;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_group().empty()) continue;
    const auto has_its_heading = [&](const HelpSection& s) {
      return s.heading == each->get_group();
    };
    auto section = std::find_if(sections.begin(), sections.end(), has_its_heading);
    if (section == sections.end()) {
      section = sections.insert(section, {each->get_group(), {}});
    }
    section->entries.push_back({each->get_name(), each->get_description()});
  }
  return sections;
}

std::string usage_of(const CLI::App& command, const CommandHelp& help, bool has_commands) {
  std::string usage = help.name;
  if (has_commands) usage += help.name == "gtune" ? " KERNEL|COMMAND" : " COMMAND";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string term = term_of(*option);
    usage += option->get_required() ? " " + term : " [" + term + "]";
  }
  return usage + " [OPTIONS]";
}

}  // namespace

CommandHelp command_help(const CLI::App& command) {
  CommandHelp help;
  const std::string path = full_name(command);
  help.name = path.empty() ? "gtune" : "gtune " + path;
  help.summary = command.get_description();
  const HelpSection arguments = argument_section(command);
  help.sections = command_sections(command);
  help.usage = usage_of(command, help, !help.sections.empty());
  if (!arguments.entries.empty()) help.sections.insert(help.sections.begin(), arguments);
  for (HelpSection& section : option_sections(command)) help.sections.push_back(std::move(section));
  help.examples = command.get_footer();
  return help;
}

}  // namespace gtune
