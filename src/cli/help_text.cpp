#include "cli/help_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "cli/output.hpp"
#include "cli/terminal.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_text_column = 28;

/// Lines of at most `width` bytes; a longer word stands alone. Spaces that begin a line stay, and
/// its continuation is indented further.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string paragraph; std::getline(in, paragraph);) {
    const std::string indent(std::min(paragraph.find_first_not_of(' '), paragraph.size()), ' ');
    std::istringstream words(paragraph);
    std::string line = indent;
    for (std::string word; words >> word;) {
      if (line.find_first_not_of(' ') != std::string::npos &&
          line.size() + 1 + word.size() > width) {
        lines.push_back(line);
        line = indent.empty() ? "" : indent + "  ";
      }
      if (line.find_first_not_of(' ') != std::string::npos) line += ' ';
      line += word;
    }
    lines.push_back(line);
  }
  return lines;
}

std::string entry_text(const HelpEntry& entry, std::size_t width) {
  std::string out = fmt::format("  {:<{}}", entry.term, k_text_column - 2);
  bool on_its_line = entry.term.size() + 4 <= k_text_column;
  for (const std::string& line : wrapped(entry.text, width - k_text_column)) {
    if (!on_its_line) {
      while (out.ends_with(' ')) out.pop_back();
      out += '\n' + std::string(k_text_column, ' ');
    }
    out += line;
    on_its_line = false;
  }
  return out + '\n';
}

}  // namespace

void print_help(const CommandHelp& help) {
  const std::size_t width = std::clamp(terminal_width(STDOUT_FILENO, 100), 60U, 100U);
  print_heading(help.name);
  print_out("\n");
  for (const std::string& line : wrapped(help.summary, width)) print_out(line + '\n');
  print_out("\n");
  print_heading("Usage:");
  print_out(" " + help.usage + "\n");
  for (const HelpSection& section : help.sections) {
    print_out("\n");
    print_heading(section.heading + ":");
    print_out("\n");
    for (const HelpEntry& entry : section.entries) print_out(entry_text(entry, width));
  }
  if (help.examples.empty()) return;
  print_out("\n");
  print_heading("Examples:");
  print_out("\n");
  std::istringstream lines(help.examples);
  for (std::string line; std::getline(lines, line);) print_out("  " + line + "\n");
}

}  // namespace gtune
