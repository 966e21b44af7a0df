#include "cli/parsers.hpp"

#include <sstream>

namespace gtune {
namespace {

constexpr const char* choices_name = "choices";

}  // namespace

void parse(CLI::App& app, const std::vector<std::string>& words) {
  // CLI11 expects the words in reverse order.
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
}

std::vector<CLI::App*> all_subcommands(CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

CLI::App* subcommand_named(CLI::App& app, const std::string& name) {
  for (CLI::App* command : all_subcommands(app)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

CLI::App& given_command(CLI::App& app) {
  CLI::App* given = &app;
  while (!given->get_subcommands().empty()) given = given->get_subcommands().front();
  return *given;
}

std::string full_name(const CLI::App& command) {
  if (command.get_parent() == nullptr) return "";
  const std::string above = full_name(*command.get_parent());
  return above.empty() ? command.get_name() : above + " " + command.get_name();
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string value_type_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));  // what follows describes validators
}

CLI::Option* add_choices(CLI::Option* option, const std::string& type,
                         const std::vector<std::string>& values) {
  return option->check(CLI::IsMember(values), choices_name)->type_name(type);
}

std::vector<std::string> choices_of(CLI::Option& option) {
  std::string list;
  try {
    list = option.get_validator(choices_name)->get_description();  // "{a,b}"
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
  std::istringstream in(list.substr(1, list.size() - 2));
  std::vector<std::string> values;
  for (std::string value; std::getline(in, value, ',');) values.push_back(value);
  return values;
}

void add_examples(CLI::App& command, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  command.footer(text);
}

}  // namespace gtune
