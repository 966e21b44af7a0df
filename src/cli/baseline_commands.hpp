#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/device_choice.hpp"
#include "model/device_facts.hpp"
#include "tune/kernel_session.hpp"

// The subcommands of `gtune baseline`, and what they share.
namespace gtune {

void add_baseline_save(CLI::App& baseline, CommandContext& context, const AskedKernel* kernel);
void add_baseline_check(CLI::App& baseline, CommandContext& context);

/// How both measure.
struct GateOptions {
  std::string file;  // of the reference times
  std::string device = "0";
  double launch_limit_s = 10;
  bool no_wait = false;
  bool json = false;
  bool quiet = false;

  void add_to(CLI::App& command);
};

/// The one device of --device, and its properties.
struct GateDevice {
  DeviceChoice choice;
  DeviceFacts facts;
};

/// Unlike a tuning run, never a recording in place of a missing GPU: a check would then pass
/// without a measurement. Throws UserError.
[[nodiscard]] GateDevice choose_gate_device(const GateOptions& options, const KernelSpec& spec,
                                            const Problem& problem,
                                            const std::vector<std::filesystem::path>& folders);

[[nodiscard]] SessionOptions gate_session_options(const GateOptions& options,
                                                  const DeviceChoice& device);

/// Runs a command whose measurements are lost if it is interrupted, and says so.
[[nodiscard]] int run_or_lose(const std::function<int()>& command);

/// The folder of the file of reference times.
[[nodiscard]] std::filesystem::path home_of(const GateOptions& options);

}  // namespace gtune
