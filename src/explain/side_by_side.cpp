#include "explain/side_by_side.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "explain/comparison.hpp"
#include "explain/metric_reading.hpp"
#include "explain/value_table.hpp"
#include "report/quantity.hpp"

namespace gtune {
namespace {

constexpr int k_digits_beside = 3;
constexpr double k_stands_out = 2;

/// The values of one fact or metric, by the place of the subject.
struct Row {
  std::string unit;
  std::map<std::size_t, double> values;
};

/// By whether it is counted, then its place in tables, then its name.
using RowKey = std::tuple<bool, std::size_t, std::string>;

std::map<RowKey, Row> rows_of(const std::vector<Subject>& subjects) {
  std::map<RowKey, Row> rows;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    for (const ComparedValue& each : compare(subjects[i], nullptr)) {
      if (!each.value) continue;
      Row& row = rows[{each.counted, place_of(each.name), each.name}];
      row.unit = each.unit;
      row.values[i] = *each.value;
    }
  }
  return rows;
}

Cell value_of(const Row& row, std::size_t subject) {
  const auto found = row.values.find(subject);
  if (found == row.values.end()) return {};
  const double value = found->second;
  const std::string text = quantity_text(value, row.unit, k_digits_beside);
  const auto first = row.values.find(0);
  if (subject == 0 || first == row.values.end()) return Cell(value).said(text);
  const double of_first = first->second;
  if (value <= 0 || of_first <= 0) return Cell(value).said(text);
  const double ratio = value / of_first;
  if (ratio < k_stands_out && ratio > 1 / k_stands_out) return Cell(value).said(text);
  return Cell(value).said(fmt::format("{} ({:.2g} x)", text, ratio));
}

}  // namespace

Table side_by_side(const std::vector<Subject>& subjects) {
  std::vector<Column> columns = {text_column("value")};
  for (const Subject& subject : subjects) columns.push_back(text_column(subject.name));
  Table table(std::move(columns));
  table.groups(value_headings());
  for (const auto& [key, row] : rows_of(subjects)) {
    const std::string& name = std::get<std::string>(key);
    std::vector<Cell> cells = {name};
    for (std::size_t i = 0; i < subjects.size(); ++i) cells.push_back(value_of(row, i));
    table.row(std::move(cells), static_cast<std::size_t>(group_of(name)));
  }
  return table;
}

}  // namespace gtune
