#include "cli/manual_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "gtune_version.hpp"

namespace gtune {
namespace {

/// Escapes what roff would interpret.
std::string escaped(const std::string& text) {
  std::string out;
  bool at_line_start = true;
  for (const char c : text) {
    if (at_line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    at_line_start = c == '\n';
  }
  return out;
}

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// Keeps the text's lines, without the spaces that begin those of a list.
std::string body(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!out.empty()) out += ".br\n";
    out += escaped(line.substr(std::min(line.find_first_not_of(' '), line.size()))) + '\n';
  }
  return out;
}

std::string verbatim(const std::string& text) {
  std::string out = ".nf\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    out += line.starts_with('#') ? escaped(line) + '\n' : "\\fB" + escaped(line) + "\\fP\n";
  }
  return out + ".fi\n";
}

}  // namespace

std::string manual_name(const CommandHelp& help) {
  std::string name = help.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string manual_page(const CommandHelp& help, const std::vector<std::string>& others) {
  const std::string name = manual_name(help);
  const std::string summary = help.summary.substr(0, help.summary.find('\n'));
  std::string page = fmt::format(".TH \"{}\" 1 \"\" \"gtune {}\" \"gtune\"\n",
                                 escaped(in_capitals(name)), version);
  page += ".SH NAME\n" + escaped(name) + " \\- " + escaped(summary) + '\n';
  page += ".SH SYNOPSIS\n\\fB" + escaped(help.name) + "\\fP" +
          escaped(help.usage.substr(help.name.size())) + '\n';
  if (summary != help.summary) {
    page += ".SH DESCRIPTION\n" + body(help.summary);
  }
  for (const HelpSection& section : help.sections) {
    page += ".SH \"" + escaped(in_capitals(section.heading)) + "\"\n";
    for (const HelpEntry& entry : section.entries) {
      page += ".TP\n\\fB" + escaped(entry.term) + "\\fP\n" + body(entry.text);
    }
  }
  if (!help.examples.empty()) page += ".SH EXAMPLES\n" + verbatim(help.examples);
  std::string see;
  for (const std::string& other : others) {
    if (other != name) see += (see.empty() ? "" : ",\n") + ("\\fB" + escaped(other) + "\\fP(1)");
  }
  if (!see.empty()) page += ".SH \"SEE ALSO\"\n" + see + '\n';
  return page;
}

}  // namespace gtune
