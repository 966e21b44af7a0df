#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gtune {

struct HelpEntry {
  std::string term;  // "--db FILE"
  std::string text;  // may have lines of its own
};

struct HelpSection {
  std::string heading;
  std::vector<HelpEntry> entries;
};

/// What there is to say about a command: --help and the manual pages show it.
struct CommandHelp {
  std::string name;     // "gtune db merge"
  std::string summary;  // one line
  std::string usage;    // "gtune db merge FILE... [OPTIONS]"
  std::vector<HelpSection> sections;
  std::string examples;  // lines; "# ..." says what the next one does
};

/// From what the parser knows: nothing is written twice.
[[nodiscard]] CommandHelp command_help(const CLI::App& command);

}  // namespace gtune
