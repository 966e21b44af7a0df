#include <algorithm>

#include "report/document.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_indent = 2;

/// Columns that UTF-8 text takes, if each character takes one.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool to_the_right) {
  const std::size_t own = columns_of(text);
  const std::string space(width > own ? width - own : 0, ' ');
  return to_the_right ? space + text : text + space;
}

/// The columns of a table that text shows, with their widths.
class Layout {
 public:
  explicit Layout(const Table& table) {
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      const auto& label = table.columns()[i].label;
      if (!label) continue;
      Shown shown{i, columns_of(*label), true, *label};
      bool any = false;
      for (const Table::Row& row : table.rows()) {
        const Cell& cell = row.cells[i];
        shown.width = std::max(shown.width, columns_of(cell.text()));
        const bool is_absent = std::holds_alternative<std::monostate>(cell.value());
        shown.to_the_right = shown.to_the_right && (cell.is_number() || is_absent);
        any = any || cell.is_number();
      }
      shown.to_the_right = shown.to_the_right && any;
      m_shown.push_back(std::move(shown));
    }
  }

  /// Empty if no column has a heading.
  [[nodiscard]] std::string headings() const {
    const bool any = std::any_of(m_shown.begin(), m_shown.end(),
                                 [](const Shown& each) { return !each.label.empty(); });
    std::string line;
    for (const Shown& each : m_shown) add(line, each, each.label);
    return any ? line : "";
  }

  [[nodiscard]] std::string line(const Table::Row& row) const {
    std::string line;
    for (const Shown& each : m_shown) add(line, each, row.cells[each.place].text());
    return line;
  }

  [[nodiscard]] bool is_empty() const { return m_shown.empty(); }

 private:
  struct Shown {
    std::size_t place = 0;
    std::size_t width = 0;
    bool to_the_right = false;  // numbers
    std::string label;
  };

  void add(std::string& line, const Shown& shown, const std::string& text) const {
    if (&shown != &m_shown.front()) line += "  ";
    line += padded(text, shown.width, shown.to_the_right);
  }

  std::vector<Shown> m_shown;
};

class TextRenderer {
 public:
  void add(const Document& document, std::size_t indent) {
    if (!document.title().empty()) {
      say(document.title(), indent);
      indent += k_indent;
    }
    std::size_t width = 0;  // of the labels
    for (const Document::Item& item : document.items()) {
      const auto* line = std::get_if<Document::Line>(&item);
      if (line != nullptr && line->label) width = std::max(width, columns_of(*line->label));
    }
    for (const Document::Item& item : document.items()) add(item, indent, width);
  }

  [[nodiscard]] std::string text() && { return std::move(m_text); }

 private:
  void add(const Document::Item& item, std::size_t indent, std::size_t width) {
    if (const auto* line = std::get_if<Document::Line>(&item)) {
      if (!line->label) return;
      const bool labelled = !line->label->empty();
      say((labelled ? padded(*line->label, width, false) + "  " : "") + line->cell.text(), indent);
    } else if (const auto* table = std::get_if<Table>(&item)) {
      add(*table, indent);
    } else {
      for (const Document& part : std::get<Document::Part>(item).documents) add(part, indent);
    }
  }

  void add(const Table& table, std::size_t indent) {
    const Layout layout(table);
    if (layout.is_empty() || table.rows().empty()) return;
    if (!table.title().empty()) {
      say(table.title(), indent);
      indent += k_indent;
    }
    const std::size_t of_groups = indent;
    if (!table.groups().empty()) indent += k_indent;
    if (const std::string headings = layout.headings(); !headings.empty()) say(headings, indent);
    for (std::size_t group = 0; group < std::max<std::size_t>(1, table.groups().size()); ++group) {
      bool first = true;
      for (const Table::Row& row : table.rows()) {
        if (row.group != group) continue;
        if (first && !table.groups().empty()) say(table.groups()[group], of_groups);
        first = false;
        say(layout.line(row), indent);
      }
    }
  }

  void say(const std::string& line, std::size_t indent) {
    const std::size_t end = line.find_last_not_of(' ');
    if (end != std::string::npos) m_text += std::string(indent, ' ') + line.substr(0, end + 1);
    m_text += '\n';
  }

  std::string m_text;
};

}  // namespace

std::string text_of(const Document& document) {
  TextRenderer renderer;
  renderer.add(document, 0);
  return std::move(renderer).text();
}

}  // namespace gtune
