#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// What gtune does with CLI11's parsers beyond CLI11's own functions.
namespace gtune {

inline constexpr const char* k_help_of_help = "Print this help and exit";

/// Throws CLI::ParseError.
void parse(CLI::App& app, const std::vector<std::string>& words);

/// Whether a word of the command line is an option; "-" alone is a file's name.
[[nodiscard]] bool is_option(const std::string& word);

[[nodiscard]] std::vector<CLI::App*> all_subcommands(CLI::App& app);
/// Null if there is none.
[[nodiscard]] CLI::App* subcommand_named(CLI::App& app, const std::string& name);

/// The command that was given, down to the last: `merge` of `gtune db merge`.
[[nodiscard]] CLI::App& given_command(CLI::App& app);

/// "db merge"; "" for the program.
[[nodiscard]] std::string full_name(const CLI::App& command);

/// Whether a value may follow the option.
[[nodiscard]] bool takes_value(const CLI::Option& option);

/// The type of an option's value, as --help shows it: "FILE".
[[nodiscard]] std::string value_type_of(const CLI::Option& option);

/// Makes these the only values of an option, and `type` the name of their kind.
CLI::Option* add_choices(CLI::Option* option, const std::string& type,
                         const std::vector<std::string>& values);
/// The only values of an option; empty if it has no such list.
[[nodiscard]] std::vector<std::string> choices_of(CLI::Option& option);

/// Adds lines for --help and the manual page: a line that begins with "# " says what the next does.
void add_examples(CLI::App& command, const std::vector<std::string>& lines);

}  // namespace gtune
