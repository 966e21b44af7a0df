#include <optional>

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/current_machine.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "report/diagnosis.hpp"
#include "report/diagnosis_report.hpp"

namespace gtune {
namespace {

struct DoctorOptions {
  std::optional<int> device;
  bool json = false;
};

int examine(const DoctorOptions& options) {
  const Diagnosis diagnosis(current_machine(options.device));
  print_out(render(diagnosis_report(diagnosis), options.json ? Format::json : Format::text));
  return static_cast<int>(diagnosis.exit_code());
}

}  // namespace

void add_doctor_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "doctor", "Check whether this machine is fit to measure, and say how to fix what is not");
  auto options = context.keep<DoctorOptions>();
  command->add_option("--device", options->device, "Only this GPU (see gtune devices) [all]")
      ->check(CLI::Range(0, 1024))
      ->type_name(value_type::device_index);
  add_json_flag(*command, options->json);
  add_examples(*command, {"gtune doctor", "gtune doctor --device 0 --json"});
  command->callback(
      [&context, options] { context.action = [options] { return examine(*options); }; });
}

}  // namespace gtune
