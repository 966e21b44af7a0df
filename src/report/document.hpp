#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/named_values.hpp"

// A report as a value: its contents, their order and their names. Three renderers decide how it
// looks: text_of for people, json_of and csv_of for machines. JSON keys and CSV columns are a
// contract; the words and layout of the text are not.
namespace gtune {

/// A number that text scales (see quantity.hpp); JSON and CSV hold it unscaled.
struct Quantity {
  std::optional<double> value;
  std::string_view unit;
  int digits = 4;
};

/// One value of a report. An absent value is "-" in text, null in JSON and empty in CSV.
class Cell {
 public:
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                             NamedValues, std::vector<Cell>>;

  Cell() = default;
  Cell(bool value) : m_value(value) {}
  template <std::signed_integral T>
  Cell(T value) : m_value(std::int64_t{value}) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Cell(T value) : m_value(std::uint64_t{value}) {}
  Cell(double value) : m_value(value) {}
  Cell(std::string value) : m_value(std::move(value)) {}
  Cell(std::string_view value) : m_value(std::string(value)) {}
  Cell(const char* value) : m_value(std::string(value)) {}
  Cell(const NamedValues& value) : m_value(value) {}
  Cell(std::vector<Cell> values) : m_value(std::move(values)) {}
  Cell(const Quantity& quantity);
  template <typename T>
  Cell(const std::optional<T>& value) {
    if (value) *this = Cell(*value);
  }

  /// The same value, shown as `words` in text.
  [[nodiscard]] Cell said(std::string words) const;
  /// The same value; if it is absent, text shows `words`.
  [[nodiscard]] Cell or_said(std::string words) const;

  [[nodiscard]] const Value& value() const { return m_value; }
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] std::string text() const;

 private:
  Value m_value;
  std::optional<std::string> m_words;
};

/// A parameter's value: a number, or the word that stands for one.
[[nodiscard]] Cell value_cell(std::int64_t value);

/// The names of a table's column, and the forms in which it appears.
struct Column {
  std::optional<std::string> label;  // heading in text; empty: no heading; absent: not in text
  std::string key;                   // in JSON; empty: not in JSON
  std::string csv;                   // in CSV; empty: not in CSV
  /// If not empty, a cell of named values fills one CSV column per name, called `csv` + name.
  std::vector<std::string> names;
};

// Columns that appear in text and JSON; JSON and CSV; JSON only; CSV only; text only.
[[nodiscard]] Column column(const std::string& label, const std::string& key);
[[nodiscard]] Column data_column(const std::string& name);
[[nodiscard]] Column json_column(const std::string& key);
[[nodiscard]] Column csv_column(const std::string& name);
[[nodiscard]] Column text_column(const std::string& label = "");
/// A CSV column for each name.
[[nodiscard]] Column csv_columns(std::vector<std::string> names, const std::string& prefix = "");

/// Rows of typed cells; in JSON, an array of objects. All tables of a document that have CSV
/// columns form one CSV file, so these columns must agree.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}

  /// A line above the table. Text omits the title and the table if there are no rows.
  Table& title(std::string title);
  /// The name of the array in JSON; a table without one is not in JSON.
  Table& key(std::string key);
  /// Text puts the rows of each group under its heading, in the order of `headings`.
  Table& groups(std::vector<std::string> headings);
  /// Adds a row with one cell per column. `group`: an index into the groups.
  Table& row(std::vector<Cell> cells, std::size_t group = 0);

  struct Row {
    std::vector<Cell> cells;
    std::size_t group = 0;
  };
  [[nodiscard]] const std::vector<Column>& columns() const { return m_columns; }
  [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
  [[nodiscard]] const std::vector<std::string>& groups() const { return m_groups; }
  [[nodiscard]] const std::string& title() const { return m_title; }
  [[nodiscard]] const std::string& key() const { return m_key; }

 private:
  std::vector<Column> m_columns;
  std::vector<Row> m_rows;
  std::vector<std::string> m_groups;
  std::string m_title;
  std::string m_key;
};

/// A report, or a part of one. Its items appear in the order they are added; text indents them
/// under the title, if there is one.
class Document {
 public:
  explicit Document(std::string title = "") : m_title(std::move(title)) {}

  /// "label   text" in text, and `key` in JSON.
  Document& fact(std::string label, std::string key, Cell cell);
  /// In text only.
  Document& line(std::string label, Cell cell);
  /// A line of text without a label.
  Document& note(std::string text);
  /// In JSON only.
  Document& data(std::string key, Cell cell);
  Document& table(Table table);
  /// Text shows the part here. JSON holds an object called `key`; without a key, the part's keys
  /// join those of the whole.
  Document& part(Document part, std::string key = "");
  /// Text shows the parts in turn. JSON holds an array of them; without a key, the array replaces
  /// the whole object.
  Document& parts(std::vector<Document> parts, std::string key);

  struct Line {
    std::optional<std::string> label;
    std::string key;
    Cell cell;
  };
  struct Part {
    std::string key;
    bool is_list = false;
    std::vector<Document> documents;  // exactly one unless is_list
  };
  using Item = std::variant<Line, Table, Part>;
  [[nodiscard]] const std::vector<Item>& items() const { return m_items; }
  [[nodiscard]] const std::string& title() const { return m_title; }

 private:
  std::string m_title;
  std::vector<Item> m_items;
};

enum class Format { text, json, csv };

[[nodiscard]] std::string text_of(const Document& document);
/// Ends with a newline. `indent`: spaces per level; -1: all on one line.
[[nodiscard]] std::string json_of(const Document& document, int indent = 2);
/// RFC 4180: a line of names, then a line per row.
[[nodiscard]] std::string csv_of(const Document& document);
[[nodiscard]] std::string render(const Document& document, Format format);

}  // namespace gtune
