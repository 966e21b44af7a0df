#include "export/header_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "export/cpp_text.hpp"
#include "model/value_word.hpp"
#include "spec/device_slots.hpp"

namespace gtune {
namespace {

std::string values_list(const std::vector<std::string>& names, const NamedValues& values) {
  std::string out;
  for (const std::string& name : names) {
    out += fmt::format("{}{}", out.empty() ? "" : ", ", values.find(name).value_or(0));
  }
  return out;
}

bool same_model(const DeviceFacts& a, const DeviceFacts& b) {
  return a.name == b.name && device_slot_values(a) == device_slot_values(b);
}

std::vector<DeviceFacts> tuned_devices(const Portfolio& portfolio) {
  std::vector<DeviceFacts> all;
  const auto add = [&](const DeviceFacts& device) {
    const bool known = std::any_of(
        all.begin(), all.end(), [&](const DeviceFacts& each) { return same_model(each, device); });
    if (!known) all.push_back(device);
  };
  for (const Served& served : portfolio.served) add(served.winner.device);
  for (const TimeModel& model : portfolio.models) add(model.device);
  return all;
}

std::size_t place_among(const std::vector<DeviceFacts>& devices, const DeviceFacts& device) {
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const DeviceFacts& each) {
    return same_model(each, device);
  });
  return static_cast<std::size_t>(found - devices.begin());
}

/// Ordered by the problems' sizes, in which the header searches.
std::vector<Served> by_problem(std::vector<Served> all, const std::vector<std::string>& sizes) {
  std::stable_sort(all.begin(), all.end(), [&](const Served& a, const Served& b) {
    for (const std::string& size : sizes) {
      const std::int64_t x = a.winner.problem.find(size).value_or(0);
      const std::int64_t y = b.winner.problem.find(size).value_or(0);
      if (x != y) return x < y;
    }
    return false;
  });
  return all;
}

std::string axes_list(const SizeGrid& grid) {
  std::vector<std::string> axes;
  for (const gtune_axis& axis : grid.axes()) {
    axes.push_back(fmt::format("{{{}, {}, {}}}", axis.size, axis.first, axis.nodes_per_octave));
  }
  return fmt::format("{}", fmt::join(axes, ", "));
}

/// Every node of the largest grid has a row, so that a header finds it by its number.
void add_contender_rows(HeaderTables& tables, const Portfolio& portfolio) {
  for (std::size_t i = 0; i < portfolio.variants.size(); ++i) {
    tables.contenders.push_back(std::to_string(i));
  }
  for (std::size_t model = 0; model < portfolio.models.size(); ++model) {
    for (std::size_t node = 0; node < SizeGrid::most_nodes; ++node) {
      const std::size_t first = tables.contenders.size();
      if (model < portfolio.contenders.size() && node < portfolio.contenders[model].size()) {
        for (const std::size_t place : portfolio.contenders[model][node]) {
          tables.contenders.push_back(std::to_string(place));
        }
      }
      tables.cells.push_back(fmt::format("{}, {}", first, tables.contenders.size()));
    }
  }
}

}  // namespace

HeaderNames header_names(const KernelSpec& spec) {
  HeaderNames names;
  for (const ProblemSize& size : spec.sizes) names.sizes.push_back(size.name);
  for (const Parameter& param : spec.params) names.params.push_back(param.name);
  names.device_facts.assign(device_slot_names.begin(), device_slot_names.end());
  return names;
}

HeaderTables header_tables(const KernelSpec& spec, const HeaderNames& names,
                           const Portfolio& portfolio) {
  HeaderTables tables;
  for (const Parameter& param : spec.params) {
    for (const std::int64_t value : param.values) {
      if (auto word = word_of_value(value)) tables.words[value] = std::move(*word);
    }
  }
  for (const Config& config : portfolio.variants) {
    tables.variants.push_back(values_list(names.params, config));
  }
  const std::vector<DeviceFacts> devices = tuned_devices(portfolio);
  for (const DeviceFacts& device : devices) {
    std::string row = cpp_literal(device.name);
    for (const std::int64_t fact : device_slot_values(device)) row += fmt::format(", {}", fact);
    tables.devices.push_back(row);
  }
  for (const Served& served : by_problem(portfolio.served, names.sizes)) {
    tables.tuned.push_back(fmt::format("{}, {}, {:d}, {:.6g}, {{{}}}",
                                       place_among(devices, served.winner.device), served.variant,
                                       served.winner.device.replayed, served.winner.median_ms,
                                       values_list(names.sizes, served.winner.problem)));
  }
  for (const TimeModel& model : portfolio.models) {
    tables.models.push_back(fmt::format("{}, {{{}}}, {{{}}}", place_among(devices, model.device),
                                        values_list(names.sizes, model.kind),
                                        axes_list(model.grid)));
    for (const std::optional<ConfigModel>& config : model.configs) {
      const ConfigModel none{{}, 0, {}};
      const ConfigModel& each = config.value_or(none);
      // Exact digits: comparisons in the header must give the same result as in gtune.
      tables.times.push_back(fmt::format("{{{}}}, {}", fmt::join(each.ms, ", "), each.resident));
      tables.factors.push_back(fmt::format("{{{}}}", fmt::join(each.factors.compared, ", ")));
    }
  }
  add_contender_rows(tables, portfolio);
  return tables;
}

}  // namespace gtune
