#include "cli/tune_command.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "cli/current_identity.hpp"
#include "cli/database_choice.hpp"
#include "cli/device_choice.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "cli/metric_names.hpp"
#include "cli/output.hpp"
#include "cli/own_source_texts.hpp"
#include "cli/page_file.hpp"
#include "cli/progress_line.hpp"
#include "cli/record.hpp"
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "cli/tune_settings.hpp"
#include "model/error.hpp"
#include "model/json.hpp"
#include "report/interrupted_report.hpp"
#include "report/run_report.hpp"
#include "spec/evaluate.hpp"
#include "spec/given_sizes.hpp"
#include "spec/problem_text.hpp"
#include "system/shell_word.hpp"
#include "system/write_whole_file.hpp"
#include "tune/budget_shares.hpp"
#include "tune/kernel_session.hpp"
#include "tune/shared_measurements.hpp"
#include "tune/take_metrics.hpp"
#include "worker/recording.hpp"

namespace gtune {
namespace {

std::string run_again_command(const KernelSpec& spec, const Problem& problem, const Config& config,
                              const TuneOptions& options) {
  std::string command = options.invocation + given_sizes(spec, problem);
  command += " --device " + shell_word(options.device) + " --config " +
             existing_values(spec, config).text();
  for (const std::string& launcher : options.worker_commands) {
    command += " --worker-command " + shell_word(launcher);
  }
  if (options.objective != "time") command += " --objective " + options.objective;
  return command + options.timing.mode().options() + options.databases.own_words();
}

/// A recording has samples of only one timing mode.
void require_recorded_mode(const std::filesystem::path& recording, const TuneOptions& options) {
  const TimingMode mode = read_recording_header(recording).mode;
  if (mode == options.timing.mode()) return;
  const std::string needed = mode.options();
  throw UserError(
      ExitCode::usage,
      fmt::format("{} holds times of mode {}: {}", recording.filename().string(), mode.text(),
                  needed.empty() ? "leave out --timing and --streams" : "give" + needed));
}

/// With workers on other machines, this one needs neither a GPU nor a recording in its place.
std::vector<DeviceChoice> local_devices(const TuneOptions& options, const KernelSpec& spec,
                                        const std::vector<Problem>& problems,
                                        const std::vector<std::filesystem::path>& folders) {
  const bool elsewhere = !options.worker_commands.empty();
  const bool only_elsewhere = options.device == "auto" && elsewhere && !has_gpu();
  std::vector<DeviceChoice> devices =
      choose_devices(only_elsewhere ? "none" : options.device, spec, problems, folders);
  if (devices.empty() && !elsewhere) {
    throw UserError(ExitCode::usage, "--device none needs a --worker-command");
  }
  return devices;
}

/// No output may replace an input or another output.
void require_separate_files(const KernelSpec& spec, const TuneOptions& options) {
  std::vector<NamedFile> inputs = options.databases.inputs();
  inputs.push_back({"the kernel", spec.file});
  inputs.push_back({"--shapes", options.sweep.shapes});
  require_outputs(
      {{"--record", options.record}, {"--report", options.report}, {"--trace", options.trace}},
      inputs);
}

/// Writes the trace however the run ends.
int run_traced(const std::filesystem::path& file, const std::function<int(Trace*)>& run) {
  Trace trace;
  try {
    const int code = run(&trace);
    write_whole_file(file, trace.json());
    return code;
  } catch (...) {
    write_whole_file(file, trace.json());
    throw;
  }
}

/// Tunes one problem after another in one session.
class TuneCommand {
 public:
  TuneCommand(const KernelSpec& spec, const TuneOptions& options, const Selection& selection,
              const std::vector<DeviceChoice>& devices, const std::string& command_line,
              Trace* trace)
      : m_spec(spec),
        m_options(options),
        m_selection(selection),
        m_settings(run_settings(options, command_line)),
        m_progress(options.quiet ? ProgressLine::Style::quiet : ProgressLine::Style::automatic),
        m_session(session_options(options, devices, trace), spec, m_progress, interrupt_requested) {
  }

  /// Tunes every problem, then takes metrics, so that no time is taken while CUPTI is open, and
  /// then prints the results. True if something valid was found for each.
  bool run(const std::vector<Problem>& problems) {
    const std::vector<std::optional<Budget>> budgets =
        shares_budget(problems) ? shared_budgets(problems)
                                : std::vector(problems.size(), std::optional(m_settings.budget));
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (!budgets[i] && m_runs.contains(i)) continue;  // its first share was enough
      m_progress.begin_part(part_text(i, problems));
      if (problems.size() == 1) {
        run_one(i, problems[i], budgets[i]);
      } else {
        run_one_of_many(i, problems[i], budgets[i]);
      }
    }
    const bool complete = take_metrics(
        m_session.environment(), m_settings, m_runs,
        [&](std::size_t number) { m_progress.begin_part(part_text(number, problems)); });
    report_all();
    if (!complete) throw Interrupted();
    record_all();
    if (!m_options.report.empty()) write_page(problems);
    if (m_failures.empty()) return m_runs.size() == problems.size();
    throw UserError(ExitCode::failed,
                    fmt::format("{} of {} problems failed, the others are done: {}",
                                m_failures.size(), problems.size(), fmt::join(m_failures, "; ")));
  }

 private:
  /// Spends half of the budget evenly on the problems; the rest is for those that still improve.
  std::vector<std::optional<Budget>> shared_budgets(const std::vector<Problem>& problems) {
    RunSettings first = first_settings();
    first.profile.scope = ProfileScope::off;  // only the best of the whole budget is profiled
    first.profile.energy = false;
    first.profile.lines = false;
    first.objective = Objective::time;
    std::vector<double> gains;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      m_progress.begin_part(part_text(i, problems));
      try {
        gains.push_back(first_gain(i, problems[i], first));
      } catch (const UserError&) {  // reported when its turn comes again
        gains.push_back(0);
      }
    }
    return second_shares(m_settings.budget, gains);
  }

  [[nodiscard]] bool shares_budget(const std::vector<Problem>& problems) const {
    return problems.size() > 1 && m_settings.strategy != "exhaustive" && !m_settings.fresh;
  }

  [[nodiscard]] RunSettings first_settings() const {
    RunSettings settings = m_settings;
    settings.budget = first_share(m_settings.budget);
    return settings;
  }

  double first_gain(std::size_t number, const Problem& problem, const RunSettings& first) {
    const Environment& env = m_session.environment();
    SearchSpace space = m_selection.space(env, problem);
    if (space.size() == 0) return 0;
    const std::vector<MeasurementKey> keys = shared_keys(
        env.workers,
        env.key(env.database.upsert_problem(env.identity.name, problem), m_settings.mode));
    // An earlier run ended: its results are in the database and cost nothing.
    if (find_answering(env, m_settings, keys, problem, m_selection.identity(m_settings, env))) {
      return std::numeric_limits<double>::min();
    }
    ProblemOutcome outcome = tune_or_report_interruption(number, first, problem, space,
                                                         m_selection.identity(first, env));
    const double gain = gain_after(problem, space, outcome);
    if (outcome.found && m_settings.objective == Objective::time) {
      m_runs[number] = {problem, std::move(space), std::move(outcome)};
    }
    return gain;
  }

  [[nodiscard]] double gain_after(const Problem& problem, const SearchSpace& space,
                                  const ProblemOutcome& outcome) const {
    const Environment& env = m_session.environment();
    if (outcome.search_use.ended_at_gain) return 0;
    std::vector<Measurement> measured;
    for (StoredMeasurement& stored : load_reusable(env, outcome.keys, problem, Phase::search)) {
      if (!space.index_of(stored.measurement.config)) continue;  // narrowed away
      measured.push_back(std::move(stored.measurement));
    }
    if (measured.size() >= space.size()) return 0;
    const double least = m_settings.budget.seconds ? gain_of_few(measured.size()) : 0;
    return std::max(late_gain(measured), least);
  }

  /// "" for a single problem, else "3/60 M=1024,...: ".
  [[nodiscard]] std::string part_text(std::size_t index,
                                      const std::vector<Problem>& problems) const {
    if (problems.size() == 1) return "";
    return fmt::format("{}/{} {}: ", index + 1, problems.size(),
                       problem_text(m_spec, problems[index]));
  }

  /// If one problem fails, the others are still tuned.
  void run_one_of_many(std::size_t number, const Problem& problem,
                       const std::optional<Budget>& budget) {
    try {
      run_one(number, problem, budget);
    } catch (const UserError& error) {
      m_progress.clear();
      m_failures.push_back(problem_text(m_spec, problem) + ": " + error.what());
    }
  }

  /// Tunes one problem; without a budget, for its first share. Adds to `m_runs` if something valid
  /// was found.
  void run_one(std::size_t number, const Problem& problem, const std::optional<Budget>& budget) {
    const Environment& env = m_session.environment();
    const auto searched = m_runs.find(number);  // set by the problem's first share
    SearchSpace space =
        searched != m_runs.end() ? searched->second.space : m_selection.space(env, problem);
    if (space.size() == 0) {
      m_progress.on_note(problem_text(m_spec, problem) + ": " + why_empty(problem));
      return;
    }
    if (const std::size_t invalid = m_selection.count_invalid(env, problem); invalid > 0) {
      m_progress.on_note(fmt::format("{}: {} of --config not valid for it",
                                     problem_text(m_spec, problem),
                                     invalid == 1 ? "1 is" : fmt::format("{} are", invalid)));
    }
    RunSettings settings = budget ? m_settings : first_settings();
    const RunIdentity identity =
        m_selection.identity(settings, env);  // shares change from run to run
    if (budget) settings.budget = *budget;
    ProblemOutcome outcome =
        tune_or_report_interruption(number, settings, problem, space, identity);
    if (outcome.found) {
      m_runs[number] = {problem, std::move(space), std::move(outcome)};
    } else {
      report_nothing(problem, outcome);
    }
  }

  void report_all() {
    m_progress.clear();
    for (const auto& [number, run] : m_runs) print(run_report(m_spec, report_of(run)));
  }

  void record_all() {
    if (m_options.record.empty()) return;
    for (const auto& [number, run] : m_runs) {
      record(m_session.environment(), m_settings, run.outcome, run.problem, run.space,
             m_options.record);
    }
  }

  /// Tunes; if the user interrupts that, prints the results of other problems, those that failed,
  /// and the best so far.
  ProblemOutcome tune_or_report_interruption(std::size_t number, const RunSettings& settings,
                                             const Problem& problem, const SearchSpace& space,
                                             const RunIdentity& identity) {
    try {
      ProblemOutcome outcome =
          tune_problem(m_session.environment(), settings, problem, space, identity);
      m_progress.clear();
      return outcome;
    } catch (const Interrupted&) {
      m_runs.erase(number);  // a shorter search of the same problem
      report_all();
      for (const std::string& failure : m_failures) m_progress.on_note(failure);
      print(interrupted_report(m_spec, interrupted_run(problem, space)));
      throw;
    }
  }

  [[nodiscard]] InterruptedRun interrupted_run(const Problem& problem,
                                               const SearchSpace& space) const {
    InterruptedRun run;
    run.problem = problem;
    run.space_size = space.size();
    run.objective = m_settings.objective;
    if (const auto& progress = m_progress.latest()) {
      run.tried = progress->done;
      run.best_ms = progress->best_ms;
      run.best = progress->best;
    }
    return run;
  }

  /// Why no configuration is valid; names the constraint if one without parameters is violated.
  std::string why_empty(const Problem& problem) {
    const Environment& env = m_session.environment();
    if (env.device().replayed) return "the recording holds none of these configurations";
    for (const NamedExpression& constraint : m_spec.constraints) {
      const Expression& rule = constraint.expression;
      const Checked value = rule.try_evaluate(slot_values(m_spec, {problem, {}, env.device()}));
      const bool of_params =
          std::any_of(rule.slots().begin(), rule.slots().end(), [&](std::size_t slot) {
            return slot >= m_spec.sizes.size() && slot < m_spec.sizes.size() + m_spec.params.size();
          });
      if (of_params || (value.failure == Failure::none && value.value != 0)) continue;
      return fmt::format(
          "the kernel does not support this case: constraint {} requires '{}' (the device is "
          "an {}, sm_{})",
          constraint.name, rule.text(), env.device().name, env.device().cc());
    }
    return "the constraints leave no configuration (see gtune space)";
  }

  void print(const Document& report) const {
    print_out(render(report, m_options.json ? Format::json : Format::text));
    flush_out();
  }

  /// Results for the page. A database of --also that can no longer be read does not cost the page.
  Results page_results() {
    DatabaseOptions databases = m_options.databases;
    databases.reads_also = m_options.record.empty();
    const std::string& kernel = m_session.environment().identity.name;
    try {
      return open_stored_results(databases, kernel);
    } catch (const UserError& error) {
      if (!databases.reads_also || databases.also_files().empty()) throw;
      m_progress.on_note(std::string("--report, without the files of --also: ") + error.what());
    }
    databases.reads_also = false;
    return open_stored_results(databases, kernel);
  }

  /// From the database alone, so that `gtune report` writes the same.
  void write_page(const std::vector<Problem>& problems) {
    const Environment& env = m_session.environment();
    Results results = page_results();
    results.database.answer_of(m_settings.mode);
    std::vector<BestRow> rows = stored_rows(results.database, env.identity,
                                            {problems.begin(), problems.end()}, env.device().name);
    std::erase_if(rows, [&](const BestRow& row) {
      return row.device.uuid != env.device().uuid || row.device.replayed != env.device().replayed;
    });
    if (rows.empty()) {
      m_progress.on_note("--report: nothing was found, so there is no page");
      return;
    }
    const auto spec = std::make_shared<const KernelSpec>(m_spec);
    RecordSource source{results.database,     spec,  env.identity,
                        m_options.invocation, false, &results.origins};
    // A recording may be of another source than the present one.
    if (env.identity.source_hash == current_identity(m_spec).source_hash) {
      source.read_texts = texts_reader(m_spec);
    }
    write_whole_file(m_options.report, report_page(kernel_page(source, std::move(rows))));
  }

  RunReport report_of(const ProblemRun& tuned) {
    const auto& [problem, space, outcome] = tuned;
    const Environment& env = m_session.environment();
    const Database& stored = outcome.ended_before ? *outcome.ended_before->database : env.database;
    auto result = stored.load_result(outcome.run);
    if (!result) throw UserError(ExitCode::failed, "the run's result is not in the database");
    RunReport report;
    report.device = env.workers.device_of(outcome.keys.front().device);
    report.toolchain = env.toolchain;
    report.problem = problem;
    report.flops = work_flops(m_spec, problem);
    report.bytes = work_bytes(m_spec, problem);
    report.result = std::move(*result);
    const auto& keys = outcome.ended_before ? outcome.ended_before->keys : outcome.keys;
    report.baselines = stored.load_measurements(keys.front(), Phase::baseline);
    report.failures = group_failures(
        outcome.ended_before ? load_shared(stored, keys, Phase::search)
                             : load_reusable(env, outcome.keys, problem, Phase::search));
    report.space_size = space.size();
    report.finalists = stored.load_finalists(report.result.run, m_settings.finalists);
    for (const auto* measured : {&report.finalists, &report.baselines}) {
      for (const StoredMeasurement& each : *measured) {
        report.metrics[each.id] = stored.load_metrics(each.id);
      }
    }
    report.objective = m_settings.objective;
    report.seed = m_settings.seed;
    report.strategy = m_settings.strategy;
    report.budget = m_settings.budget.text();
    report.from_store = outcome.from_store();
    report.workers_lost = outcome.workers_lost;
    if (!outcome.from_store()) add_use(report, outcome.search_use);
    report.draws = !m_options.plain && !m_options.json && shows_drawings(STDOUT_FILENO);
    report.best_so_far = outcome.search_use.best_so_far;
    const bool is_also = &stored != &env.database;
    report.database = is_also ? env.also->file_of(report.result.winner.id) : env.database.path();
    report.run_again =
        run_again_command(m_spec, problem, report.result.winner.measurement.config, m_options);
    return report;
  }

  void add_use(RunReport& report, const SearchUse& use) {
    const Environment& env = m_session.environment();
    const auto& members = env.workers.members();
    if (!env.reproducible() && use.seconds > 0) report.gpu_busy = use.gpu_busy;
    for (const auto& [origin, count] : use.priors)
      report.priors[std::string(to_string(origin))] = count;
    if (members.size() == 1) return;
    for (std::size_t i = 0; i < members.size(); ++i) {
      report.devices.push_back({members[i].command.name, members[i].device.uuid, use.measured[i],
                                members[i].lane == nullptr});
    }
  }

  void report_nothing(const Problem& problem, const ProblemOutcome& outcome) {
    const Environment& env = m_session.environment();
    std::string line = problem_text(m_spec, problem) + ": no configuration is valid and correct";
    if (outcome.unchecked > 0) {
      line = fmt::format(
          "{}: every finalist failed in the final or on an awkward size; {} slower ones are not "
          "checked yet: run the same command to continue with them",
          problem_text(m_spec, problem), outcome.unchecked);
    }
    if (outcome.unchecked == 0 && outcome.search_use.ended_by_time) {
      line = time_was_short(problem, outcome);
    }
    for (const FailureGroup& group :
         group_failures(load_reusable(env, outcome.keys, problem, Phase::search))) {
      line += fmt::format("; {} x {}: {}", group.count, to_string(group.status), group.reason);
    }
    m_progress.on_note(line);
  }

  /// For a search that ran out of time: configurations that were not tried may be valid.
  [[nodiscard]] std::string time_was_short(const Problem& problem,
                                           const ProblemOutcome& outcome) const {
    const SearchUse& use = outcome.search_use;
    return fmt::format(
        "{}: time ran out after {} of {} configurations, none of them valid and correct; a "
        "configuration took {:.2g} s: give --budget {}",
        problem_text(m_spec, problem), use.tried, outcome.configurations,
        use.spent_s / static_cast<double>(std::max<std::uint64_t>(1, use.tried)),
        more_time(m_settings.budget, use.spent_s, use.tried).text());
  }

  const KernelSpec& m_spec;
  const TuneOptions& m_options;
  const Selection& m_selection;
  RunSettings m_settings;
  ProgressLine m_progress;
  KernelSession m_session;
  ProblemRuns m_runs;                   // that found something valid
  std::vector<std::string> m_failures;  // of problems of a sweep
};

}  // namespace

int tune(const KernelSpec& spec, const TuneOptions& options,
         const std::vector<std::filesystem::path>& folders, const std::string& command_line) {
  if (options.profile == "off" && !options.metrics.empty()) {
    throw UserError(ExitCode::usage,
                    "--metrics needs --profile top, lines or all: off collects none");
  }
  const std::vector<Problem> problems = options.sweep.problems(spec);
  const bool in_sweep = problems.size() > 1 || !options.sweep.shard.empty();
  const Selection selection(spec, options.params, options.configs,
                            in_sweep);  // its mistakes are reported before a device's
  if (problems.empty()) {
    spdlog::info("note: --shard {} holds no problem", options.sweep.shard);
    return 0;
  }
  const std::vector<DeviceChoice> devices = local_devices(options, spec, problems, folders);
  set_up_log(options.verbose);
  for (const DeviceChoice& device : devices) {
    if (device.note) spdlog::info("note: {}", *device.note);
  }
  if (!options.record.empty()) {
    if (problems.size() != 1) {
      throw UserError(ExitCode::usage, "--record takes one problem: give one value for each size");
    }
    if (devices.size() + options.worker_commands.size() != 1) {
      throw UserError(ExitCode::usage, "--record takes one device: a recording is of one");
    }
  }
  require_separate_files(spec, options);  // now, not after an hour of measuring
  for (const DeviceChoice& device : devices) {
    if (device.recording) require_recorded_mode(*device.recording, options);
  }
  check_metric_names(options.metrics, devices);
  catch_interrupts();
  const auto run = [&](Trace* trace) {
    TuneCommand command(spec, options, selection, devices, command_line, trace);
    return static_cast<int>(command.run(problems) ? ExitCode::done : ExitCode::nothing_valid);
  };
  return options.trace.empty() ? run(nullptr) : run_traced(options.trace, run);
}

}  // namespace gtune
