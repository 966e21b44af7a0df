#include <fmt/format.h>

#include <charconv>

#include "cli/common_options.hpp"
#include "cli/parsers.hpp"
#include "cli/tune_command.hpp"
#include "cli/value_types.hpp"

namespace gtune {
namespace {

std::string strategy_help() {
  std::string help = "How to choose the next configuration";
  for (const StrategyInfo& info : strategies()) {
    help += fmt::format("\n  {}: {}", info.name, info.help);
  }
  return help;
}

/// CLI11's range accepts "nan".
std::string refuse_other_than_seconds(const std::string& text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  return whole && value >= 0.001 && value <= 86400
             ? ""
             : "expected seconds from 0.001 to 86400, not " + text;
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) names.emplace_back(info.name);
  return names;
}

void add_search_options(CLI::App& command, TuneOptions& options) {
  const char* group = option_group::search;
  add_choices(command.add_option("--strategy", options.strategy, strategy_help()),
              value_type::strategy, strategy_names())
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--budget", options.budget,
                  "Time (800ms, 60s, 5m, 1h) or number of configurations to search; with several "
                  "problems, the average for each [until further search is expected to gain almost "
                  "nothing, "
                  "at most 30s]")
      ->type_name(value_type::budget)
      ->group(group);
  add_choices(
      command.add_option(
          "--objective", options.objective,
          "What the winner minimises: the time of a launch, its energy, or edp, their product. The "
          "search goes by time; energy is measured of the finalists"),
      value_type::objective, {"time", "energy", "edp"})
      ->capture_default_str()
      ->group(group);
  add_param_option(command, options.params);
  command.get_option("--param")->group(group);
  command
      .add_option("--config", options.configs,
                  "Measure this configuration, a value of every parameter: BM=64,BN=64,... "
                  "(repeatable: side by side; each of several problems takes those that are valid "
                  "for it)")
      ->type_name(value_type::configuration)
      ->allow_extra_args(false)
      ->excludes("--strategy")
      ->excludes("--budget")
      ->group(group);
  add_seed_option(command, options.seed, "Seed of inputs and search");
  command.get_option("--seed")->group(group);
  command.add_flag("--fresh", options.fresh, "Measure stored configurations again")->group(group);
}

void add_device_options(CLI::App& command, TuneOptions& options) {
  const char* group = option_group::device;
  command
      .add_option(
          "--device", options.device,
          "0, 1, ... (see gtune devices); 0,1 or all: several GPUs of one model; "
          "replay or replay:FILE: recorded measurements; none: only --worker-command; auto: "
          "GPU 0, else replay")
      ->type_name(value_type::devices)
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--worker-command", options.worker_commands,
          "Also use the GPU of a worker on another machine: a command that starts the worker and "
          "connects its standard input and output: 'ssh HOST gtune worker --device 0' (repeatable)")
      ->type_name(value_type::command)
      ->allow_extra_args(false)
      ->group(group);
  command.add_flag("--no-wait", options.no_wait, "Fail if another gtune is using the GPU")
      ->group(group);
  command
      .add_option("--threads", options.threads,
                  "Number of compilers that run in parallel [one per core]")
      ->check(CLI::Range(1, 256))
      ->type_name(value_type::number)
      ->group(group);
}

void add_measuring_options(CLI::App& command, TuneOptions& options) {
  const char* group = option_group::measuring;
  options.timing.add_to_measuring(command);
  command.add_option("--timeout", options.launch_limit_s, "Time limit of one launch")
      ->check(CLI::Validator(refuse_other_than_seconds, ""))
      ->type_name(value_type::seconds)
      ->capture_default_str()
      ->group(group);
  auto* profile = command.add_option(
      "--profile", options.profile,
      "Collect hardware metrics after all timing: top: of finalists and baselines; all: "
      "also single-pass ones of every valid configuration; lines: as top, and sample the source "
      "lines where finalists and baselines wait (see gtune explain --lines); off");
  add_choices(profile, "WHAT", {"top", "all", "lines", "off"})->capture_default_str()->group(group);
  command
      .add_option("--metrics", options.metrics,
                  "Collect these metrics too: familiar names or CUPTI's own (see gtune metrics), "
                  "energy_mj, power_w")
      ->delimiter(',')
      ->type_name(value_type::metrics)
      ->allow_extra_args(false)
      ->group(group);
  command.add_flag("--compile", options.compile, "Compile even if measurements are replayed")
      ->group(group);
}

void add_output_options(CLI::App& command, TuneOptions& options) {
  const char* group = option_group::output;
  options.databases.add_to(command);
  command.get_option("--db")->group(group);
  CLI::Option* also = command.get_option("--also")->group(group);
  command
      .add_option("--record", options.record,
                  "Measure the whole space, or the part that --param and --budget allow, and write "
                  "a recording for --device replay:FILE, which includes stored measurements")
      ->type_name(value_type::file)
      ->excludes(also)
      ->group(group);
  command
      .add_option("--report", options.report,
                  "Write a page about these problems at the end (HTML; see gtune report)")
      ->type_name(value_type::file)
      ->group(group);
  command
      .add_option("--trace", options.trace,
                  "Write a timeline of compilers, workers and tuner (JSON for Perfetto or "
                  "chrome://tracing)")
      ->type_name(value_type::file)
      ->group(group);
  add_json_flag(command, options.json)->group(group);
  command.add_flag("--quiet", options.quiet, "Show no progress")->group(group);
  command
      .add_flag("--plain", options.plain,
                "No drawings; there are some only on a UTF-8 terminal without NO_COLOR")
      ->group(group);
  command.add_flag("--verbose", options.verbose, "Print a line for each configuration")
      ->group(group);
}

}  // namespace

void TuneOptions::add_to(CLI::App& command) {
  sweep.add_to(command);
  add_search_options(command, *this);
  add_device_options(command, *this);
  add_measuring_options(command, *this);
  add_output_options(command, *this);
}

}  // namespace gtune
