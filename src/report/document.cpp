#include "report/document.hpp"

#include <fmt/format.h>

#include "model/value_word.hpp"
#include "report/quantity.hpp"

namespace gtune {
namespace {

std::string words_of(std::monostate) { return "-"; }
std::string words_of(bool value) { return value ? "yes" : "no"; }
std::string words_of(std::int64_t value) { return std::to_string(value); }
std::string words_of(std::uint64_t value) { return std::to_string(value); }
std::string words_of(double value) { return quantity_text(value, ""); }
std::string words_of(const std::string& value) { return value; }
std::string words_of(const NamedValues& value) { return value.text(); }
std::string words_of(const std::vector<Cell>& cells) {
  std::string text;
  for (const Cell& cell : cells) text += (text.empty() ? "" : ", ") + cell.text();
  return text;
}

}  // namespace

Cell::Cell(const Quantity& quantity) : Cell(quantity.value) {
  if (quantity.value) m_words = quantity_text(*quantity.value, quantity.unit, quantity.digits);
}

Cell Cell::said(std::string words) const {
  Cell cell = *this;
  cell.m_words = std::move(words);
  return cell;
}

Cell Cell::or_said(std::string words) const {
  return std::holds_alternative<std::monostate>(m_value) ? said(std::move(words)) : *this;
}

bool Cell::is_number() const {
  return std::holds_alternative<std::int64_t>(m_value) ||
         std::holds_alternative<std::uint64_t>(m_value) || std::holds_alternative<double>(m_value);
}

std::string Cell::text() const {
  if (m_words) return *m_words;
  return std::visit([](const auto& value) { return words_of(value); }, m_value);
}

Cell value_cell(std::int64_t value) {
  const auto word = word_of_value(value);
  return word ? Cell(*word) : Cell(value);
}

Column column(const std::string& label, const std::string& key) { return {label, key, "", {}}; }
Column data_column(const std::string& name) { return {std::nullopt, name, name, {}}; }
Column json_column(const std::string& key) { return {std::nullopt, key, "", {}}; }
Column csv_column(const std::string& name) { return {std::nullopt, "", name, {}}; }
Column text_column(const std::string& label) { return {label, "", "", {}}; }
Column csv_columns(std::vector<std::string> names, const std::string& prefix) {
  return {std::nullopt, "", prefix, std::move(names)};
}

Table& Table::title(std::string title) {
  m_title = std::move(title);
  return *this;
}

Table& Table::key(std::string key) {
  m_key = std::move(key);
  return *this;
}

Table& Table::groups(std::vector<std::string> headings) {
  m_groups = std::move(headings);
  return *this;
}

Table& Table::row(std::vector<Cell> cells, std::size_t group) {
  m_rows.push_back({std::move(cells), group});
  return *this;
}

Document& Document::fact(std::string label, std::string key, Cell cell) {
  m_items.emplace_back(Line{std::move(label), std::move(key), std::move(cell)});
  return *this;
}

Document& Document::line(std::string label, Cell cell) {
  return fact(std::move(label), "", std::move(cell));
}

Document& Document::note(std::string text) { return line("", std::move(text)); }

Document& Document::data(std::string key, Cell cell) {
  m_items.emplace_back(Line{std::nullopt, std::move(key), std::move(cell)});
  return *this;
}

Document& Document::table(Table table) {
  m_items.emplace_back(std::move(table));
  return *this;
}

Document& Document::part(Document part, std::string key) {
  m_items.emplace_back(Part{std::move(key), false, {std::move(part)}});
  return *this;
}

Document& Document::parts(std::vector<Document> parts, std::string key) {
  m_items.emplace_back(Part{std::move(key), true, std::move(parts)});
  return *this;
}

std::string render(const Document& document, Format format) {
  switch (format) {
    case Format::text:
      return text_of(document);
    case Format::json:
      return json_of(document);
    case Format::csv:
      break;
  }
  return csv_of(document);
}

}  // namespace gtune
