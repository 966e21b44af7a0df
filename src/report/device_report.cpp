#include "report/device_report.hpp"

#include <fmt/format.h>

#include "model/checked_json.hpp"
#include "model/json.hpp"

namespace gtune {
namespace {

Cell fact_cell(const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return {};
}

/// All facts, under the names used in recordings.
Document facts_part(const DeviceFacts& device) {
  Document out;
  const nlohmann::json facts = device;
  for (const auto& [name, value] : facts.items()) out.data(name, fact_cell(value));
  return out;
}

Document device_part(std::size_t number, const DeviceFacts& d) {
  Document out(fmt::format("{}  {}", number, d.name));
  return out
      .line("chip",
            fmt::format("sm_{}, {} SMs, up to {} MHz", d.cc(), d.sm_count, d.max_sm_clock_mhz))
      .line("memory", fmt::format("{} MiB, L2 {} MiB", d.memory_bytes >> 20, d.l2_bytes >> 20))
      .line("driver", d.driver_version)
      .line("UUID", d.uuid);
}

}  // namespace

Document device_report(const std::vector<DeviceFacts>& devices) {
  Document out;
  std::vector<Document> facts;
  for (const DeviceFacts& device : devices) {
    out.part(device_part(facts.size(), device));
    facts.push_back(facts_part(device));
  }
  return out.parts(std::move(facts), "");
}

}  // namespace gtune
