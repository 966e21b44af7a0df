#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/chosen_databases.hpp"
#include "cli/sweep.hpp"
#include "cli/timing_options.hpp"
#include "search/strategy.hpp"

namespace gtune {

/// The options of `gtune KERNEL` and `gtune tune`.
struct TuneOptions {
  std::string invocation;  // "gtune sgemm", for the command that runs the winner again
  SweepOptions sweep;
  std::vector<std::string> params;
  std::vector<std::string> configs;
  std::string device = "auto";
  std::vector<std::string> worker_commands;
  DatabaseOptions databases;
  TimingOptions timing;
  std::string strategy{default_strategy};
  std::string budget;
  std::string objective = "time";
  std::string record;
  std::string report;
  std::string trace;
  std::string profile = "top";
  std::vector<std::string> metrics;
  std::uint64_t seed = 1;
  double launch_limit_s = 10;
  std::size_t threads = 0;
  bool fresh = false;
  bool no_wait = false;
  bool compile = false;
  bool json = false;
  bool quiet = false;
  bool plain = false;
  bool verbose = false;

  /// Adds all options except the sizes, which depend on the kernel.
  void add_to(CLI::App& command);
};

/// Tunes every problem that the options name and prints a report of each. Returns an exit code.
int tune(const KernelSpec& spec, const TuneOptions& options,
         const std::vector<std::filesystem::path>& folders, const std::string& command_line);

}  // namespace gtune
