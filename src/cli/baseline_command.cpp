#include "cli/baseline_commands.hpp"
#include "cli/common_options.hpp"
#include "cli/parsers.hpp"
#include "cli/tune_settings.hpp"
#include "cli/value_types.hpp"
#include "gpu/device.hpp"
#include "model/error.hpp"
#include "worker/recording.hpp"
#include "worker/worker_connection.hpp"

namespace gtune {

void GateOptions::add_to(CLI::App& command) {
  const char* group = option_group::measuring;
  command
      .add_option("--device", device,
                  "The GPU (see gtune devices); replay or replay:FILE: recorded measurements")
      ->type_name(value_type::device_index)
      ->capture_default_str()
      ->group(group);
  command.add_option("--timeout", launch_limit_s, "Time limit of one launch")
      ->check(CLI::Range(0.001, 86400.0))
      ->type_name(value_type::seconds)
      ->capture_default_str()
      ->group(group);
  command.add_flag("--no-wait", no_wait, "Fail if another gtune is using the GPU")->group(group);
  add_json_flag(command, json);
  command.add_flag("--quiet", quiet, "Show no progress");
}

GateDevice choose_gate_device(const GateOptions& options, const KernelSpec& spec,
                              const Problem& problem,
                              const std::vector<std::filesystem::path>& folders) {
  const std::string& text = options.device;
  const bool one = text != "auto" && text != "none" && text != "all";
  std::vector<DeviceChoice> chosen;
  if (one) chosen = choose_devices(text, spec, {problem}, folders);
  if (chosen.size() != 1) {
    throw UserError(ExitCode::usage, "--device " + text +
                                         ": this command takes one device: a number (see gtune "
                                         "devices), replay or replay:FILE");
  }
  GateDevice device{chosen.front(), {}};
  if (device.choice.recording) {
    device.facts = read_recording_header(*device.choice.recording).device;
    device.facts.replayed = true;
  } else {
    device.facts = find_device(list_devices(), device.choice.index);
  }
  return device;
}

SessionOptions gate_session_options(const GateOptions& options, const DeviceChoice& device) {
  TuneOptions tuning;
  tuning.launch_limit_s = options.launch_limit_s;
  tuning.no_wait = options.no_wait;
  SessionOptions session = session_options(tuning, {device}, nullptr);
  session.bundled.reset();  // nothing is searched
  return session;
}

int run_or_lose(const std::function<int()>& command) {
  try {
    return command();
  } catch (const Interrupted&) {
    throw UserError(ExitCode::interrupted, "interrupted; nothing was written");
  }
}

std::filesystem::path home_of(const GateOptions& options) {
  return std::filesystem::weakly_canonical(options.file).parent_path();
}

void add_baseline_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* baseline = app.add_subcommand(
      "baseline", "Hold kernels to the times in a file, so that a slowdown fails in CI");
  baseline->require_subcommand(1);
  add_baseline_save(*baseline, context, kernel);
  add_baseline_check(*baseline, context);
  add_examples(*baseline, {"# Measure the reference times, and commit the file",
                           "gtune baseline save gate.json sgemm --M 1024,4096",
                           "# In CI: exit code 1 if something has become slower",
                           "gtune baseline check gate.json"});
}

}  // namespace gtune
