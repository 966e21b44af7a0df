#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gtune {

struct HelpEntry {
  std::string term;  // "--db FILE"
  std::string text;  // may have several lines
};

struct HelpSection {
  std::string heading;
  std::vector<HelpEntry> entries;
};

/// A command's help, as --help and the manual pages show it.
struct CommandHelp {
  std::string name;     // "gtune db merge"
  std::string summary;  // one line
  std::string usage;    // "gtune db merge FILE... [OPTIONS]"
  std::vector<HelpSection> sections;
  std::string examples;  // lines; "# ..." says what the next one does
};

/// Takes the help from the parser's declarations.
[[nodiscard]] CommandHelp command_help(const CLI::App& command);

}  // namespace gtune
