#include "answer/pair_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/value_word.hpp"
#include "report/heading.hpp"
#include "report/spec_columns.hpp"

namespace gtune {
namespace {

/// Throughput if the work is known and its digits tell the configurations apart, else time; a table
/// has one unit.
struct ShownSpeed {
  const char* name;
  std::string (*text)(const ConfigSpeed&);
};

ShownSpeed shown_speed(const PairTable& table) {
  double gflops = 0, gbps = 0;
  for (const auto& [pair, speed] : table.cells) {
    gflops = std::max(gflops, speed.gflops.value_or(0));
    gbps = std::max(gbps, speed.gbps.value_or(0));
  }
  if (gflops >= 100) {
    return {"TFLOP/s", [](const ConfigSpeed& each) {
              return fmt::format("{:.2f}", each.gflops.value_or(0) / 1000);
            }};
  }
  if (gbps >= 10) {
    return {"GB/s",
            [](const ConfigSpeed& each) { return fmt::format("{:.0f}", each.gbps.value_or(0)); }};
  }
  return {"ms", [](const ConfigSpeed& each) { return fmt::format("{:.4f}", each.median_ms); }};
}

/// For text: the values of one parameter go down, those of the other across.
Table matrix(const PairTable& table) {
  const ShownSpeed shown = shown_speed(table);
  std::set<std::int64_t> rows, columns;
  for (const auto& [pair, speed] : table.cells) {
    rows.insert(pair.first);
    columns.insert(pair.second);
  }
  std::vector<Column> headings = {text_column()};
  for (const std::int64_t column : columns) headings.push_back(text_column(value_text(column)));
  Table out(std::move(headings));
  out.title(fmt::format("best {} for each {} (down) and {} (across)", shown.name, table.row,
                        table.column));
  for (const std::int64_t row : rows) {
    std::vector<Cell> line = {value_cell(row)};
    for (const std::int64_t column : columns) {
      const auto cell = table.cells.find({row, column});
      line.push_back(cell == table.cells.end()
                         ? Cell()
                         : Cell(cell->second.median_ms).said(shown.text(cell->second)));
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
             csv_column("l2_flushed")});
  for (const auto& [pair, speed] : table.cells) {
    out.row({value_cell(pair.first), value_cell(pair.second), speed.config, table.device,
             table.replayed, table.problem, speed.config, speed.median_ms, speed.gflops, speed.gbps,
             table.l2_flushed});
  }
  return out.key("cells");
}

Document table_part(const KernelSpec& spec, const PairTable& table) {
  return Document(heading(spec, table.problem, table.device, table.replayed, table.l2_flushed))
      .data("device", table.device)
      .data("replayed", table.replayed)
      .data("l2_flushed", table.l2_flushed)
      .data("problem", table.problem)
      .data("rows", table.row)
      .data("columns", table.column)
      .table(matrix(table))
      .table(pair_rows(spec, table));
}

}  // namespace

std::vector<PairTable> pair_tables(const std::vector<ConfigSpeed>& speeds, const std::string& row,
                                   const std::string& column) {
  std::vector<PairTable> tables;
  for (const ConfigSpeed& speed : speeds) {
    auto table = std::find_if(tables.begin(), tables.end(), [&](const PairTable& each) {
      return each.device == speed.device.name && each.replayed == speed.device.replayed &&
             each.l2_flushed == speed.l2_flushed && each.problem == speed.problem;
    });
    if (table == tables.end()) {
      tables.push_back({speed.device.name,
                        speed.device.replayed,
                        speed.l2_flushed,
                        speed.problem,
                        row,
                        column,
                        {}});
      table = tables.end() - 1;
    }
    const std::pair key(speed.config.find(row).value(), speed.config.find(column).value());
    const auto [cell, is_new] = table->cells.emplace(key, speed);
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
