#include <fmt/format.h>

#include "model/value_word.hpp"
#include "report/document.hpp"

namespace gtune {
namespace {

/// Quoted only if necessary.
std::string field_of(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string field_of(const Cell& cell) {
  return std::visit(
      [&](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          return "";
        else if constexpr (std::is_same_v<T, bool>)
          return value ? "1" : "0";
        else if constexpr (std::is_arithmetic_v<T>)
          return fmt::format("{}", value);
        else if constexpr (std::is_same_v<T, std::string>)
          return field_of(value);
        else
          return field_of(cell.text());
      },
      cell.value());
}

using Fields = std::vector<std::string>;

Fields names_of(const Table& table) {
  Fields fields;
  for (const Column& column : table.columns()) {
    for (const std::string& name : column.names) fields.push_back(field_of(column.csv + name));
    if (column.names.empty() && !column.csv.empty()) fields.push_back(field_of(column.csv));
  }
  return fields;
}

Fields fields_of(const Table& table, const Table::Row& row) {
  Fields fields;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const Column& column = table.columns()[i];
    const auto* values = std::get_if<NamedValues>(&row.cells[i].value());
    for (const std::string& name : column.names) {
      const auto value = values == nullptr ? std::nullopt : values->find(name);
      fields.push_back(value ? field_of(value_text(*value)) : "");
    }
    if (column.names.empty() && !column.csv.empty()) fields.push_back(field_of(row.cells[i]));
  }
  return fields;
}

class CsvRenderer {
 public:
  void add(const Document& document) {
    for (const Document::Item& item : document.items()) {
      if (const auto* table = std::get_if<Table>(&item)) add(*table);
      if (const auto* part = std::get_if<Document::Part>(&item)) {
        for (const Document& each : part->documents) add(each);
      }
    }
  }

  [[nodiscard]] std::string text() && { return std::move(m_text); }

 private:
  void add(const Table& table) {
    const Fields names = names_of(table);
    if (names.empty()) return;
    if (m_text.empty()) add(names);
    for (const Table::Row& row : table.rows()) add(fields_of(table, row));
  }

  void add(const Fields& fields) { m_text += fmt::format("{}\r\n", fmt::join(fields, ",")); }

  std::string m_text;
};

}  // namespace

std::string csv_of(const Document& document) {
  CsvRenderer renderer;
  renderer.add(document);
  return std::move(renderer).text();
}

}  // namespace gtune
