#include "answer/pair_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "answer/value_order.hpp"
#include "model/value_word.hpp"
#include "report/heading.hpp"
#include "report/spec_columns.hpp"

namespace gtune {
namespace {

/// FLOP per byte: far below what GPUs need to be bound by FP32 arithmetic.
constexpr double k_memory_intensity = 4;

/// Throughput if the work is known and of a usual size, else time; a table has one unit.
struct ShownSpeed {
  const char* name;
  double (*number)(const ConfigSpeed&);
};

ShownSpeed shown_speed(const PairTable& table) {
  double gflops = 0, gbps = 0;
  for (const auto& [pair, speed] : table.cells) {
    gflops = std::max(gflops, speed.gflops.value_or(0));
    gbps = std::max(gbps, speed.gbps.value_or(0));
  }
  const bool has_bandwidth = gbps >= 10;
  // Little arithmetic per byte: the bandwidth says more.
  const bool is_of_memory = has_bandwidth && gflops < k_memory_intensity * gbps;
  if (gflops >= 100 && !is_of_memory) {
    return {"TFLOP/s", [](const ConfigSpeed& each) { return each.gflops.value_or(0) / 1000; }};
  }
  if (has_bandwidth) {
    return {"GB/s", [](const ConfigSpeed& each) { return each.gbps.value_or(0); }};
  }
  return {"ms", [](const ConfigSpeed& each) { return each.median_ms; }};
}

/// With four digits that count.
std::string number_text(double value) {
  const int before = value > 0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
  return fmt::format("{:.{}f}", value, std::clamp(4 - before, 0, 6));
}

/// For text: the values of one parameter go down, those of the other across.
Table matrix(const KernelSpec& spec, const PairTable& table) {
  const ShownSpeed shown = shown_speed(table);
  std::set<std::int64_t> row_values, column_values;
  for (const auto& [pair, speed] : table.cells) {
    row_values.insert(pair.first);
    column_values.insert(pair.second);
  }
  const auto rows = in_order(spec.find_param(table.row), row_values);
  const auto columns = in_order(spec.find_param(table.column), column_values);
  std::vector<Column> headings = {text_column()};
  for (const std::int64_t column : columns) headings.push_back(text_column(value_text(column)));
  Table out(std::move(headings));
  out.title(fmt::format("best {} for each {} (down) and {} (across)", shown.name, table.row,
                        table.column));
  for (const std::int64_t row : rows) {
    std::vector<Cell> line = {value_cell(row)};
    for (const std::int64_t column : columns) {
      const auto cell = table.cells.find({row, column});
      line.push_back(
          cell == table.cells.end()
              ? Cell()
              : Cell(cell->second.median_ms).said(number_text(shown.number(cell->second))));
    }
    out.row(std::move(line));
  }
  return out;
}

/// For JSON and CSV: a row for each pair.
Table pair_rows(const KernelSpec& spec, const PairTable& table) {
  Table out({json_column("row"), json_column("column"), json_column("config"), csv_column("device"),
             csv_column("replayed"), size_columns(spec), parameter_columns(spec),
             data_column("median_ms"), data_column("gflops"), data_column("gbps"),
             csv_column("timing")});
  for (const auto& [pair, speed] : table.cells) {
    out.row({value_cell(pair.first), value_cell(pair.second), speed.config, table.device,
             table.replayed, table.problem, speed.config, speed.median_ms, speed.gflops, speed.gbps,
             table.mode.text()});
  }
  return out.key("cells");
}

Document table_part(const KernelSpec& spec, const PairTable& table) {
  return Document(heading(spec, table.problem, table.device, table.replayed, table.mode))
      .data("device", table.device)
      .data("replayed", table.replayed)
      .data("timing", table.mode.text())
      .data("problem", table.problem)
      .data("rows", table.row)
      .data("columns", table.column)
      .table(matrix(spec, table))
      .table(pair_rows(spec, table));
}

}  // namespace

std::vector<PairTable> pair_tables(const std::vector<ConfigSpeed>& speeds, const std::string& row,
                                   const std::string& column) {
  std::vector<PairTable> tables;
  for (const ConfigSpeed& speed : speeds) {
    const auto row_value = speed.config.find(row), column_value = speed.config.find(column);
    if (!row_value || !column_value) continue;
    auto table = std::find_if(tables.begin(), tables.end(), [&](const PairTable& each) {
      return each.device == speed.device.name && each.replayed == speed.device.replayed &&
             each.mode == speed.mode && each.problem == speed.problem;
    });
    if (table == tables.end()) {
      tables.push_back(
          {speed.device.name, speed.device.replayed, speed.mode, speed.problem, row, column, {}});
      table = tables.end() - 1;
    }
    const auto [cell, is_new] = table->cells.emplace(std::pair(*row_value, *column_value), speed);
    if (!is_new && speed.median_ms < cell->second.median_ms) cell->second = speed;
  }
  return tables;
}

Document pair_report(const KernelSpec& spec, const std::vector<PairTable>& tables) {
  std::vector<Document> parts;
  for (const PairTable& table : tables) parts.push_back(table_part(spec, table));
  return Document().data("kernel", spec.name).parts(std::move(parts), "tables");
}

}  // namespace gtune
