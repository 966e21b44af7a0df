#include "report/document_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/markup_text.hpp"

namespace gtune {
namespace {

bool is_shown(const Column& column) { return column.label.has_value(); }

std::size_t count_shown(const Table& table) {
  return static_cast<std::size_t>(
      std::count_if(table.columns().begin(), table.columns().end(), is_shown));
}

bool has_headings(const Table& table) {
  return std::any_of(table.columns().begin(), table.columns().end(),
                     [](const Column& column) { return !column.label.value_or("").empty(); });
}

/// The unscaled number, by which a table is sorted.
std::string number_of(const Cell& cell) {
  return std::visit(
      [](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
          return fmt::format("{}", value);
        } else {
          return "";
        }
      },
      cell.value());
}

bool is_absent(const Cell& cell) { return std::holds_alternative<std::monostate>(cell.value()); }

/// Whether a column has numbers and nothing else.
bool is_of_numbers(const Table& table, std::size_t column) {
  bool any = false;
  for (const Table::Row& row : table.rows()) {
    const Cell& cell = row.cells[column];
    if (!cell.is_number() && !is_absent(cell)) return false;
    any = any || cell.is_number();
  }
  return any;
}

std::string cell_element(const Cell& cell, bool is_name, bool is_of_numbers) {
  const std::string text = markup_text(cell.text());
  if (is_name) return "<th scope=\"row\">" + text + "</th>";
  std::string out = is_of_numbers ? "<td class=\"number\"" : "<td";
  const std::string number = is_absent(cell) ? "null" : number_of(cell);
  if (!number.empty()) out += " data-value=\"" + number + "\"";
  return out + ">" + text + "</td>";
}

/// Whether a text is more than a mark such as "*".
bool has_letters(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c); });
}

/// A row; its first cell that has text names it.
std::string row_element(const Table& table, const Table::Row& row) {
  std::string out = "<tr>";
  bool is_named = !has_headings(table);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Column& column = table.columns()[i];
    if (!is_shown(column)) continue;
    const bool is_name = !is_named && !row.cells[i].is_number() && has_letters(row.cells[i].text());
    is_named = is_named || is_name;
    out += cell_element(row.cells[i], is_name, is_of_numbers(table, i));
  }
  return out + "</tr>\n";
}

std::string head_element(const Table& table) {
  if (!has_headings(table)) return "";
  std::string out = "<thead><tr>";
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const Column& column = table.columns()[i];
    if (!is_shown(column)) continue;
    const char* kind = is_of_numbers(table, i) ? " class=\"number\"" : "";
    out += column.label->empty()
               ? "<td></td>"
               : fmt::format("<th scope=\"col\"{}>{}</th>", kind, markup_text(*column.label));
  }
  return out + "</tr></thead>\n";
}

std::string body_elements(const Table& table) {
  std::string out;
  const std::size_t groups = std::max<std::size_t>(1, table.groups().size());
  for (std::size_t group = 0; group < groups; ++group) {
    std::string rows;
    for (const Table::Row& row : table.rows()) {
      if (row.group == group) rows += row_element(table, row);
    }
    if (rows.empty()) continue;
    out += "<tbody>\n";
    if (!table.groups().empty()) {
      out += fmt::format("<tr><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                         count_shown(table), markup_text(table.groups()[group]));
    }
    out += rows + "</tbody>\n";
  }
  return out;
}

/// A table of one column without a heading.
std::string list_element(const Table& table) {
  std::string out = table.title().empty() ? "" : "<p>" + markup_text(table.title()) + ":</p>\n";
  out += "<ul>\n";
  for (const Table::Row& row : table.rows()) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (is_shown(table.columns()[i]))
        out += "<li>" + wrapping_text(row.cells[i].text()) + "</li>\n";
    }
  }
  return out + "</ul>\n";
}

class HtmlRenderer {
 public:
  void add(const Document& document, int level) {
    if (!document.title().empty()) {
      m_html +=
          fmt::format("<h{0}>{1}</h{0}>\n", std::min(level, 6), markup_text(document.title()));
      ++level;
    }
    for (const Document::Item& item : document.items()) add(item, level);
    end_list();
  }

  [[nodiscard]] std::string html() && { return std::move(m_html); }

 private:
  void add(const Document::Item& item, int level) {
    if (const auto* line = std::get_if<Document::Line>(&item)) {
      add(*line);
    } else if (const auto* table = std::get_if<Table>(&item)) {
      const std::string html = html_of(*table);
      if (!html.empty()) end_list();
      m_html += html;
    } else {
      for (const Document& part : std::get<Document::Part>(item).documents) add_part(part, level);
    }
  }

  /// Parts that only machines see leave no trace.
  void add_part(const Document& part, int level) {
    HtmlRenderer inner;
    inner.add(part, level);
    const std::string html = std::move(inner).html();
    if (html.empty()) return;
    end_list();
    m_html += part.title().empty() ? html : "<section>\n" + html + "</section>\n";
  }

  void add(const Document::Line& line) {
    if (!line.label) return;
    if (line.label->empty()) {
      end_list();
      m_html += "<p>" + markup_text(line.cell.text()) + "</p>\n";
      return;
    }
    if (!m_in_list) m_html += "<dl>\n";
    m_in_list = true;
    m_html += "<div><dt>" + markup_text(*line.label) + "</dt><dd>" +
              wrapping_text(line.cell.text()) + "</dd></div>\n";
  }

  void end_list() {
    if (m_in_list) m_html += "</dl>\n";
    m_in_list = false;
  }

  std::string m_html;
  bool m_in_list = false;
};

}  // namespace

std::string html_of(const Document& document, int level) {
  HtmlRenderer renderer;
  renderer.add(document, level);
  return std::move(renderer).html();
}

std::string html_of(const Table& table) {
  const std::size_t shown = count_shown(table);
  if (shown == 0 || table.rows().empty()) return "";
  if (shown == 1 && !has_headings(table)) return list_element(table);
  std::string out = "<div class=\"scroll\" tabindex=\"0\"";
  out += table.title().empty()
             ? ""
             : " role=\"group\" aria-label=\"" + markup_text(table.title()) + "\"";
  out += "><table>\n";
  if (!table.title().empty()) out += "<caption>" + markup_text(table.title()) + "</caption>\n";
  return out + head_element(table) + body_elements(table) + "</table></div>\n";
}

}  // namespace gtune
