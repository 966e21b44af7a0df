#include "explain/source_texts.hpp"

#include <sstream>
#include <utility>

#include "model/one_line.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_tab = 4;

/// With spaces in place of tabs, and safe for a terminal.
std::string printable(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t') {
      text.append(k_tab - text.size() % k_tab, ' ');
    } else {
      text += c;
    }
  }
  return one_line(text);
}

}  // namespace

void SourceTexts::add(const std::string& name, const std::string& text) {
  std::vector<std::string>& lines = m_lines[name];
  lines.clear();
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(printable(line));
}

const std::vector<std::string>* SourceTexts::find(const std::string& name) const {
  const auto found = m_lines.find(name);
  return found == m_lines.end() ? nullptr : &found->second;
}

std::string SourceTexts::line(const std::string& name, int number) const {
  const std::vector<std::string>* lines = find(name);
  if (lines == nullptr || number < 1 || std::cmp_greater(number, lines->size())) return "";
  const std::string& text = (*lines)[static_cast<std::size_t>(number) - 1];
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin);
}

std::string short_code(const std::string& line, std::size_t most) {
  return line.size() <= most ? line : one_line(line, most);
}

}  // namespace gtune
