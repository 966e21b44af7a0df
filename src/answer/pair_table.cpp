#include "answer/pair_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "report/csv_field.hpp"
#include "report/heading.hpp"
#include "report/values_json.hpp"

namespace gtune {
namespace {

enum class SpeedUnit { tflops, gbps, ms };

SpeedUnit unit_of(const PairTable& table) {
  const ConfigSpeed& any = table.cells.begin()->second;
  if (any.gflops) return SpeedUnit::tflops;
  return any.gbps ? SpeedUnit::gbps : SpeedUnit::ms;
}

std::string_view name_of(SpeedUnit unit) {
  switch (unit) {
    case SpeedUnit::tflops:
      return "TFLOP/s";
    case SpeedUnit::gbps:
      return "GB/s";
    case SpeedUnit::ms:
      return "ms";
  }
  return "";
}

std::string value_text(const ConfigSpeed& speed, SpeedUnit unit) {
  switch (unit) {
    case SpeedUnit::tflops:
      return fmt::format("{:.2f}", speed.gflops.value_or(0) / 1000);
    case SpeedUnit::gbps:
      return fmt::format("{:.0f}", speed.gbps.value_or(0));
    case SpeedUnit::ms:
      return fmt::format("{:.4f}", speed.median_ms);
  }
  return "";
}

std::string table_text(const std::string& kernel, const PairTable& table) {
  const SpeedUnit unit = unit_of(table);
  std::string out =
      fmt::format("{}\n  best {} for each {} (down) and {} (across)\n",
                  heading(kernel, table.problem, table.device, table.replayed, table.l2_flushed),
                  name_of(unit), table.row, table.column);
  std::set<std::int64_t> rows, columns;
  for (const auto& [pair, speed] : table.cells) {
    rows.insert(pair.first);
    columns.insert(pair.second);
  }
  constexpr int width = 9;
  out += fmt::format("  {:>{}}", "", width);
  for (const std::int64_t column : columns) out += fmt::format(" {:>{}}", column, width);
  out += '\n';
  for (const std::int64_t row : rows) {
    out += fmt::format("  {:>{}}", row, width);
    for (const std::int64_t column : columns) {
      const auto cell = table.cells.find({row, column});
      out += fmt::format(" {:>{}}",
                         cell == table.cells.end() ? "-" : value_text(cell->second, unit), width);
    }
    out += '\n';
  }
  return out;
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

std::string pair_text(const std::string& kernel, const std::vector<PairTable>& tables) {
  std::string out;
  for (const PairTable& table : tables) out += table_text(kernel, table);
  return out;
}

nlohmann::json pair_json(const std::string& kernel, const std::vector<PairTable>& tables) {
  nlohmann::json out = {{"kernel", kernel}, {"tables", nlohmann::json::array()}};
  for (const PairTable& table : tables) {
    nlohmann::json cells = nlohmann::json::array();
    for (const auto& [pair, speed] : table.cells) {
      cells.push_back({{"row", pair.first},
                       {"column", pair.second},
                       {"config", values_json(speed.config)},
                       {"median_ms", speed.median_ms},
                       {"gflops", optional_json(speed.gflops)},
                       {"gbps", optional_json(speed.gbps)}});
    }
    out["tables"].push_back({{"device", table.device},
                             {"replayed", table.replayed},
                             {"l2_flushed", table.l2_flushed},
                             {"problem", values_json(table.problem)},
                             {"rows", table.row},
                             {"columns", table.column},
                             {"cells", std::move(cells)}});
  }
  return out;
}

std::string pair_csv(const KernelIdentity& kernel, const std::vector<PairTable>& tables) {
  std::string out = "device,replayed";
  for (const std::string& name : kernel.problem_names) out += ',' + csv_field(name);
  for (const std::string& name : kernel.parameter_names) out += ',' + csv_field(name);
  out += ",median_ms,gflops,gbps,l2_flushed\r\n";
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  for (const PairTable& table : tables) {
    for (const auto& [pair, speed] : table.cells) {
      out += fmt::format("{},{:d}", csv_field(table.device), table.replayed);
      out += csv_values(kernel.problem_names, table.problem);
      out += csv_values(kernel.parameter_names, speed.config);
      out += fmt::format(",{},{},{},{:d}\r\n", speed.median_ms, number(speed.gflops),
                         number(speed.gbps), table.l2_flushed);
    }
  }
  return out;
}

}  // namespace gtune
