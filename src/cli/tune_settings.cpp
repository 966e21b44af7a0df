#include "cli/tune_settings.hpp"

#include <algorithm>
#include <limits>

#include "cli/record.hpp"
#include "model/energy_use.hpp"
#include "system/data_folders.hpp"

namespace gtune {
namespace {

// Without --budget, a search that does not end by itself: long enough for a good answer, short
// enough to wait for.
constexpr double most_default_s = 30;

// A slower configuration may take less energy, so more finalists than those nearest to the fastest
// are measured. Each takes 2.2 s.
constexpr int energy_finalists = 12;
constexpr double energy_finalist_margin = 1.3;

WorkerCommand worker_command(const std::string& program, const DeviceChoice& device,
                             std::size_t number) {
  if (!device.recording) {
    const std::string index = std::to_string(device.index);
    return {"device " + index, {program, "worker", "--device", index}};
  }
  return {"replay " + std::to_string(number),
          {program, "worker", "--device", "replay:" + device.recording->string()}};
}

ProfileSettings profile_settings(const TuneOptions& options) {
  ProfileSettings settings;
  for (const std::string& name : options.metrics) {
    if (is_energy_metric(name)) {
      settings.energy = true;
    } else {
      settings.metrics.push_back(name);
    }
  }
  if (options.profile == "off") settings.scope = ProfileScope::off;
  if (options.profile == "all") settings.scope = ProfileScope::all;
  settings.lines = options.profile == "lines";
  return settings;
}

}  // namespace

SessionOptions session_options(const TuneOptions& options, const std::vector<DeviceChoice>& devices,
                               Trace* trace) {
  SessionOptions session;
  session.trace = trace;
  session.compiler_program = program_path().string();
  for (const DeviceChoice& device : devices) {
    session.workers.push_back(
        worker_command(session.compiler_program, device, session.workers.size() + 1));
  }
  for (const std::string& launcher : options.worker_commands) {
    session.workers.push_back({launcher, {"/bin/sh", "-c", launcher}, true});
  }
  session.database = options.databases.own_file();
  // A recording holds the samples of stored measurements, which must be the user's own.
  if (options.record.empty()) session.also = options.databases.also_files();
  const bool replays = std::any_of(devices.begin(), devices.end(), [](const DeviceChoice& device) {
    return device.recording.has_value();
  });
  const bool searches = !options.fresh && options.configs.empty();
  // A replay is the same wherever it runs.
  if (searches && !replays) session.bundled = bundled_database();
  session.compile_replays = options.compile;
  session.threads = options.threads;
  session.launch_limit_ms = options.launch_limit_s * 1000;
  session.if_gpu_held = options.no_wait ? IfHeld::refuse : IfHeld::wait;
  return session;
}

RunSettings run_settings(const TuneOptions& options, const std::string& command_line) {
  RunSettings settings;
  settings.strategy = options.strategy;
  settings.objective = objective_from_string(options.objective);
  if (settings.objective != Objective::time) {
    settings.finalists = energy_finalists;
    settings.finalist_margin = energy_finalist_margin;
  }
  settings.seed = options.seed;
  settings.mode = options.timing.mode();
  settings.fresh = options.fresh;
  settings.launch_limit_ms = options.launch_limit_s * 1000;
  settings.command_line = command_line;
  settings.profile = profile_settings(options);
  settings.budget.seconds = most_default_s;
  settings.budget.may_end_early = true;
  if (!options.budget.empty()) settings.budget = parse_budget(options.budget);
  if (!options.record.empty()) prepare_for_recording(settings, options.budget.empty());
  if (!options.configs.empty()) {
    // A comparison: every configuration is measured, and all of them in turn in the final.
    settings.strategy = "exhaustive";
    settings.budget = {};
    settings.finalists = static_cast<int>(options.configs.size());
    settings.finalist_margin = std::numeric_limits<double>::infinity();
    settings.discard_early = false;
  }
  return settings;
}

}  // namespace gtune
