#include "exchange/markdown.hpp"

#include <string_view>

#include "model/one_line.hpp"

namespace gtune {
namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += ' ' + cell + " |";
  return line + '\n';
}

}  // namespace

std::string markdown_text(const std::string& text) {
  // Numeric references: backslashes do not stop GitHub from linking @names, #1 and addresses.
  constexpr std::string_view special = "\\`*_{}[]<>#!|~&@\"'$";
  const std::string line = one_line(text);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view from = std::string_view(line).substr(i);
    const bool of_address =
        from.starts_with(":/") || (i > 0 && from[0] == '.' && (line[i - 1] | 0x20) == 'w');
    const bool is_special = of_address || special.find(from[0]) != std::string_view::npos;
    out += is_special ? "&#" + std::to_string(static_cast<int>(from[0])) + ";"
                      : std::string(1, from[0]);
  }
  return out;
}

std::string markdown_table(const std::vector<MarkdownColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> headings;
  std::string rule = "|";
  for (const MarkdownColumn& column : columns) {
    headings.push_back(column.heading);
    rule += column.is_number ? "---:|" : "---|";
  }
  std::string text = line_of(headings) + rule + '\n';
  for (const auto& row : rows) text += line_of(row);
  return text;
}

}  // namespace gtune
