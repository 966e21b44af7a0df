#include <fmt/format.h>

#include <charconv>

#include "cli/seed_option.hpp"
#include "cli/tune_command.hpp"

namespace gtune {
namespace {

std::string strategy_help() {
  std::string help = "How to choose what to try next:";
  for (const StrategyInfo& info : strategies()) {
    help += fmt::format("\n  {}: {}", info.name, info.help);
  }
  return help;
}

/// CLI11's range takes what is no number for one within it.
std::string refuse_other_than_seconds(const std::string& text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  return whole && value >= 0.001 && value <= 86400
             ? ""
             : "expected seconds from 0.001 to 86400, not " + text;
}

CLI::IsMember known_strategy() {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) names.emplace_back(info.name);
  return CLI::IsMember(names);
}

}  // namespace

void TuneOptions::add_to(CLI::App& command) {
  sweep.add_to(command);
  command
      .add_option(
          "--device", device,
          "0, 1, ... (see gtune devices), auto, all, none, replay, replay:FILE; several of\none "
          "model with commas between work side by side")
      ->capture_default_str();
  command
      .add_option("--worker-command", worker_commands,
                  "Also the device of a worker reached by this command, which carries its pipe:\n"
                  "'ssh HOST gtune worker --device 0', srun, kubectl exec (repeatable)")
      ->type_name("COMMAND")
      ->allow_extra_args(false);
  command.add_option("--param", params, "Narrow the space: NAME=VALUE,VALUE (repeatable)")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  command
      .add_option("--config", configs,
                  "Measure this configuration alone: NAME=VALUE,... (repeatable: side by side)")
      ->type_name("CONFIG")
      ->allow_extra_args(false);
  command.add_option("--strategy", strategy, strategy_help())
      ->check(known_strategy())
      ->capture_default_str()
      ->excludes("--config");
  command
      .add_option("--budget", budget,
                  "60s, 5m, 1h, or a number of configurations; of several problems\nwhat each "
                  "has on average [30s]")
      ->excludes("--config");
  add_seed_option(command, seed, "Of inputs and search");
  command.add_option("--db", database, "Database file [$GTUNE_DB, else the XDG data folder]");
  command.add_flag("--fresh", fresh, "Measure again what is stored");
  command.add_flag("--no-flush", no_flush, "Keep the L2 cache warm between samples");
  command.add_option("--timeout", launch_limit_s, "Seconds that one launch may take at most")
      ->check(CLI::Validator(refuse_other_than_seconds, ""))
      ->capture_default_str();
  command.add_option("--threads", threads, "Compilers at a time [one per core]")
      ->check(CLI::Range(1, 256));
  command.add_flag("--no-wait", no_wait, "Refuse where another gtune is using the GPU");
  command.add_flag("--compile", compile, "Compile even where measurements are replayed");
  command.add_option(
      "--record", record,
      "Measure the whole space, or what --param and --budget leave of it, and write a "
      "recording for --device replay:FILE");
  command.add_option("--trace", trace,
                     "Write what compilers, workers and tuner did when to this file (JSON, for "
                     "Perfetto or chrome://tracing)");
  command
      .add_option("--profile", profile,
                  "Take hardware metrics when all is timed: top (finalists, baselines), all (a "
                  "few of every valid configuration as well), off")
      ->check(CLI::IsMember({"top", "all", "off"}))
      ->capture_default_str();
  command
      .add_option("--metrics", metrics,
                  "Also these metrics: familiar names or CUPTI's own (see gtune metrics)")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->allow_extra_args(false);
  command.add_flag("--json", json, "Print the result as JSON");
  command.add_flag("--quiet", quiet, "No progress");
  command.add_flag("--verbose", verbose, "A line for each configuration");
}

}  // namespace gtune
