#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "answer/answer.hpp"
#include "answer/query_service.hpp"
#include "cli/asked_kernel.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/config_argument.hpp"
#include "cli/current_identity.hpp"
#include "cli/current_rules.hpp"
#include "cli/database_choice.hpp"
#include "cli/interrupt.hpp"
#include "cli/kernel_action.hpp"
#include "cli/kernel_options.hpp"
#include "cli/launch_report.hpp"
#include "cli/open_cubin_cache.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "gpu/device.hpp"
#include "model/checked_json.hpp"
#include "model/error.hpp"
#include "space/enumerate.hpp"
#include "space/narrowing.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/problem_text.hpp"
#include "system/data_folders.hpp"
#include "system/shell_word.hpp"
#include "tune/single_run.hpp"
#include "worker/gpu_lock.hpp"

namespace gtune {
namespace {

struct RunOptions {
  std::string tuned_by;  // "gtune sgemm", "gtune tune FILE.toml"
  SizeOptions sizes;
  std::string config = "best";
  DatabaseOptions databases;
  int device = 0;
  int launches = 1;
  std::uint64_t seed = 1;
  bool flush_l2 = false;
  bool json = false;
};

/// What `gtune query` answers for this device.
Config best_config(const SingleRun& run, const RunOptions& options) {
  const Results results = open_stored_results(options.databases, run.spec.name);
  std::vector<Answer> answers =
      find_answers_of(results.database, current_identity(run.spec), current_rules(run.spec),
                      {run.problem}, run.device.name)
          .front();
  if (answers.empty()) {
    throw UserError(ExitCode::nothing_stored,
                    fmt::format("no stored configuration of {} for '{}' in {} is valid for {}: "
                                "run {}, or give --config",
                                run.spec.name, run.device.name, results.database.path().string(),
                                problem_text(run.spec, run.problem), options.tuned_by));
  }
  name_sources(results, answers);
  const std::string& from = answers.front().from;
  if (!from.empty()) spdlog::info("note: the configuration is from {}", shell_word(from));
  return answers.front().config;
}

/// A baseline's arguments may depend on parameters that it does not name.
Config baseline_config(const SingleRun& run) {
  const SearchSpace space = enumerate(run.spec, run.problem, run.device).space;
  if (space.size() == 0) {
    throw UserError(ExitCode::nothing_valid,
                    problem_text(run.spec, run.problem) +
                        ": the constraints leave no configuration (see gtune space)");
  }
  Config config = space.config(0);
  for (const auto& [name, value] : run.baseline->params.entries()) config.set(name, value);
  return config;
}

void choose_config(SingleRun& run, const RunOptions& options) {
  run.baseline = find_baseline(run.spec, options.config);
  if (run.baseline != nullptr) {
    run.config = baseline_config(run);
  } else if (options.config == "best") {
    run.config = best_config(run, options);
  } else {
    run.config = parse_config(run.spec, options.config);
    require_valid(run.spec, run.launched());
  }
}

int run_kernel(const KernelSpec& spec, const RunOptions& options) {
  const Problem problem = options.sizes.single(spec);
  require_config_argument(spec, "--config", options.config);  // before errors of the device
  SingleRun run{spec,
                find_device(list_devices(), options.device),
                options.device,
                problem,
                {},
                nullptr,
                options.seed,
                options.launches,
                options.flush_l2};
  choose_config(run, options);
  catch_interrupts();
  const auto lock = GpuLock::take(
      run.device.uuid, IfHeld::wait,
      [](const std::string& line) { spdlog::info("note: {}", line); }, interrupt_requested);
  const auto times = run_alone(run, *open_cubin_cache(), {program_path().string(), "compiler"},
                               interrupt_requested);
  print_out(render(launch_report(run, times), options.json ? Format::json : Format::text));
  return 0;
}

}  // namespace

void add_run_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command = app.add_subcommand(
      "run", "Launch one configuration in this process, for ncu, nsys or compute-sanitizer");
  add_kernel_argument(*command);
  auto options = context.keep<RunOptions>();
  command
      ->add_option(
          "--config", options->config,
          "What to launch: best (what gtune query answers), a baseline, or a value of every "
          "parameter")
      ->type_name(value_type::measured)
      ->capture_default_str();
  command->add_option("--launches", options->launches, "Number of launches")
      ->check(CLI::Range(1, 100000))
      ->type_name(value_type::number)
      ->capture_default_str();
  command->add_option("--device", options->device, "The GPU (see gtune devices)")
      ->check(CLI::Range(0, 1024))
      ->type_name(value_type::device_index)
      ->capture_default_str();
  command->add_flag("--flush-l2", options->flush_l2, "Flush the L2 cache before each launch");
  add_seed_option(*command, options->seed, "Seed of the inputs");
  options->databases.add_to(*command);
  add_json_flag(*command, options->json);
  add_examples(*command, {"# Profile the best configuration",
                          "ncu --profile-from-start off gtune run sgemm --M 4096",
                          "# Look for invalid accesses of a given one",
                          "compute-sanitizer gtune run sgemm --M 4096 --config naive"});
  act_on_kernel(*command, context, kernel, options, run_kernel);
}

}  // namespace gtune
