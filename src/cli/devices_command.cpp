#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "gpu/device.hpp"
#include "model/json.hpp"

namespace gtune {
namespace {

int list_all_devices(bool json) {
  const std::vector<DeviceFacts> devices = list_devices();
  if (json) {
    print_out(fmt::format("{}\n", json_text(nlohmann::json(devices), 2)));
    return 0;
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceFacts& d = devices[i];
    print_out(
        fmt::format("{}  {}  sm_{}, {} SMs, up to {} MHz, {} MiB, L2 {} MiB, driver {}\n   {}\n", i,
                    d.name, d.cc(), d.sm_count, d.max_sm_clock_mhz, d.memory_bytes >> 20,
                    d.l2_bytes >> 20, d.driver_version, d.uuid));
  }
  return 0;
}

}  // namespace

void add_devices_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("devices", "GPUs of this machine");
  auto json = context.keep<bool>(false);
  command->add_flag("--json", *json, "Print as JSON");
  command->callback(
      [&context, json] { context.action = [json] { return list_all_devices(*json); }; });
}

}  // namespace gtune
