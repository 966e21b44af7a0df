#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "gpu/device.hpp"
#include "report/device_report.hpp"

namespace gtune {
namespace {

int list_all_devices(bool json) {
  print_out(render(device_report(list_devices()), json ? Format::json : Format::text));
  return 0;
}

}  // namespace

void add_devices_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("devices", "List the GPUs of this machine");
  auto json = context.keep<bool>(false);
  add_json_flag(*command, *json);
  add_examples(*command, {"gtune devices"});
  command->callback(
      [&context, json] { context.action = [json] { return list_all_devices(*json); }; });
}

}  // namespace gtune
