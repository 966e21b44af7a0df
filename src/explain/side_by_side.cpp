#include "explain/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "explain/comparison.hpp"
#include "explain/metric_reading.hpp"
#include "explain/value_table.hpp"
#include "model/value_word.hpp"
#include "report/quantity.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

constexpr int k_digits_beside = 3;
constexpr int k_ratio_digits = 2;
constexpr double k_stands_out = 2;
constexpr double k_least_percent = 0.05;  // less is written 0.0

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

/// Values up to this are written as zeros.
double least_of(const Row& row) { return row.unit == "percent" ? k_least_percent : 0; }

bool is_of_zeros(const Row& row) {
  const double least = least_of(row);
  return std::all_of(row.values.begin(), row.values.end(),
                     [&](const auto& each) { return std::abs(each.second) <= least; });
}

/// The unit that suits the first value; if it is absent or zero, the largest.
SharedUnit unit_of(const Row& row) {
  const auto first = row.values.find(0);
  if (first != row.values.end() && first->second != 0) return shared_unit(first->second, row.unit);
  double largest = 0;
  for (const auto& [place, value] : row.values) largest = std::max(largest, std::abs(value));
  return shared_unit(largest, row.unit);
}

/// "12.3", or "570 (45.0 x)" if it is far from the first.
Cell value_of(const Row& row, const SharedUnit& unit, std::size_t subject) {
  const auto found = row.values.find(subject);
  if (found == row.values.end()) return {};
  const double value = found->second;
  const bool is_whole = unit.size == 1 && value == std::floor(value);
  std::string text = row.unit == "percent" ? fmt::format("{:.1f}", value)
                     : is_whole            ? fmt::format("{:.0f}", value)
                                           : number_text(value / unit.size, k_digits_beside);
  const auto first = row.values.find(0);
  const double of_first = first == row.values.end() ? 0 : first->second;
  const double least = least_of(row);
  if (subject != 0 && value > least && of_first > least) {
    const double ratio = value / of_first;
    const bool stands_out = ratio >= k_stands_out || ratio <= 1 / k_stands_out;
    if (stands_out) text += " (" + factor_text(ratio, k_ratio_digits) + ")";
  }
  return Cell(value).said(text);
}

/// "finalist 2: BM=64": with the values that differ from those of the first.
std::string heading_of(const KernelSpec& spec, const Subject& subject, const Subject& first) {
  if (subject.measured.phase == Phase::baseline) return subject.name;
  const Config own = existing_values(spec, subject.measured.config);
  const Config other = existing_values(spec, first.measured.config);
  std::string difference;
  for (const auto& [name, value] : own.entries()) {
    if (other.find(name) == value) continue;
    difference += fmt::format("{}{}={}", difference.empty() ? ": " : ", ", name, value_text(value));
  }
  return subject.name + difference;
}

}  // namespace

Table side_by_side(const KernelSpec& spec, const std::vector<Subject>& subjects) {
  std::vector<Column> columns = {text_column("value"), text_column("unit")};
  for (const Subject& subject : subjects) {
    columns.push_back(text_column(heading_of(spec, subject, subjects.front())));
  }
  Table table(std::move(columns));
  table.groups(value_headings());
  for (const auto& [key, row] : rows_of(subjects)) {
    if (is_of_zeros(row)) continue;
    const std::string& name = std::get<std::string>(key);
    const SharedUnit unit = unit_of(row);
    std::vector<Cell> cells = {name, unit.word};
    for (std::size_t i = 0; i < subjects.size(); ++i) cells.push_back(value_of(row, unit, i));
    table.row(std::move(cells), static_cast<std::size_t>(group_of(name)));
  }
  return table;
}

}  // namespace gtune
