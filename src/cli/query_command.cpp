#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "answer/best_curves.hpp"
#include "answer/best_report.hpp"
#include "answer/curves_chart.hpp"
#include "answer/leave_out.hpp"
#include "answer/model_winners.hpp"
#include "answer/pair_table.hpp"
#include "answer/query_service.hpp"
#include "cli/asked_kernel.hpp"
#include "cli/asked_speeds.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/current_identity.hpp"
#include "cli/current_rules.hpp"
#include "cli/database_choice.hpp"
#include "cli/kernel_action.hpp"
#include "cli/kernel_options.hpp"
#include "cli/metric_names.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/query_energy.hpp"
#include "cli/timing_options.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "model/value_word.hpp"
#include "model/words.hpp"
#include "profile/familiar_metrics.hpp"
#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/problem_text.hpp"
#include "spec/suggestion.hpp"
#include "store/database.hpp"
#include "system/data_folders.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

struct QueryOptions {
  std::string tuned_by;  // "gtune sgemm", "gtune tune FILE.toml"
  SizeOptions sizes;
  std::string device;
  std::string arch;
  DatabaseOptions databases;
  std::optional<std::string> field;
  std::vector<std::string> table;  // empty, or two parameters
  std::optional<std::string> plot;
  std::string file;  // of the plot; empty: standard output
  std::string objective = "time";
  bool pareto = false;
  bool all = false;
  bool leave_one_out = false;
  TimingOptions timing;
  bool json = false;
  bool csv = false;
};

/// Sizes that the database has no answer for are looked up in `bundled`, if given.
std::vector<Answer> ask(const KernelSpec& spec, const Database& database,
                        const KernelIdentity& identity, const QueryOptions& options,
                        const std::optional<std::filesystem::path>& bundled) {
  std::optional<DeviceFacts> of_architecture;
  if (!options.arch.empty()) of_architecture = typical_device(options.arch);
  if (!options.all && options.sizes.any()) {
    return asked_answers(database, identity, current_rules(spec), options.sizes.problems(spec),
                         options.device, of_architecture, bundled);
  }
  if (of_architecture) {
    throw UserError(ExitCode::usage, "--arch needs sizes to answer for: give them, not --all");
  }
  return answers_of_models(all_answers(database, identity, options.device));
}

std::string nothing_line(const KernelSpec& spec, const Database& database,
                         const KernelIdentity& identity, const QueryOptions& options) {
  const std::string line = nothing_asked_line(database, identity, spec, options.device,
                                              options.tuned_by, options.timing.asked());
  const bool could_widen =
      !options.device.empty() && options.arch.empty() && !database.winners(identity).empty();
  return line + (could_widen ? ", or give --arch to take what another device of that architecture "
                               "found"
                             : "");
}

/// The value of one parameter, for scripts.
std::string field_of(const std::vector<Answer>& answers, const std::string& name) {
  if (answers.size() != 1) {
    throw UserError(ExitCode::usage,
                    fmt::format("--field needs one answer, there are {}: give one value for each "
                                "size, and --device",
                                answers.size()));
  }
  const Config& config = answers.front().config;
  if (const auto value = config.find(name)) return value_text(*value);
  std::vector<std::string> known;
  for (const auto& [parameter, value] : config.entries()) known.push_back(parameter);
  throw UserError(ExitCode::usage, "--field " + name + ": no such parameter" +
                                       did_you_mean(name, known) +
                                       fmt::format(" (there are {})", fmt::join(known, ", ")));
}

Format format_of(const QueryOptions& options) {
  if (options.json) return Format::json;
  return options.csv ? Format::csv : Format::text;
}

void require_parameters(const KernelSpec& spec, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Parameter& parameter : spec.params) known.push_back(parameter.name);
  for (const std::string& name : names) {
    if (spec.find_param(name) != nullptr) continue;
    throw UserError(ExitCode::usage, "--table " + name + ": no such parameter" +
                                         did_you_mean(name, known) +
                                         fmt::format(" (there are {})", fmt::join(known, ", ")));
  }
  if (names[0] == names[1]) {
    throw UserError(ExitCode::usage, "--table needs two different parameters");
  }
}

ResultsWanted wanted(const QueryOptions& options) {
  return {options.tuned_by, options.databases, options.timing.asked()};
}

/// The best time for each pair of values of two parameters, for exactly the given sizes.
std::vector<PairTable> find_tables(const KernelSpec& spec, const Database& database,
                                   const KernelIdentity& identity, const QueryOptions& options) {
  const SizeOptions any;
  const SizeOptions& sizes = options.all ? any : options.sizes;
  return pair_tables(asked_speeds(database, identity, spec, sizes, options.device),
                     options.table[0], options.table[1]);
}

int query_table(const KernelSpec& spec, const KernelIdentity& identity,
                const QueryOptions& options) {
  std::vector<PairTable> tables;
  const Results results = open_results(wanted(options), identity, [&](const Database& database) {
    tables = find_tables(spec, database, identity, options);
    return !tables.empty();
  });
  const Database& database = results.database;
  if (tables.empty()) {
    throw UserError(ExitCode::nothing_stored, nothing_line(spec, database, identity, options) +
                                                  tuned_sizes(database, identity, spec));
  }
  note_sources(results, spec.name);
  if (!options.all && options.sizes.any()) {
    for (const Problem& problem : options.sizes.problems(spec)) {
      const bool found = std::any_of(tables.begin(), tables.end(), [&](const PairTable& table) {
        return table.problem == problem;
      });
      if (!found) spdlog::info("note: no stored result of {}", problem_text(spec, problem));
    }
  }
  print_out(render(pair_report(spec, tables), format_of(options)));
  return 0;
}

/// Throws UserError: why no fastest configuration has a value of y, the name of a metric or a rate.
[[noreturn]] void refuse_y(const std::string& y, const QueryOptions& options,
                           const std::filesystem::path& database) {
  const bool is_rate = y == "GB/s" || y == "GFLOP/s";
  if (!is_rate && !may_be_metric(y)) {
    std::vector<std::string> known = default_metrics();
    known.insert(known.begin(), {"time", "GB/s", "GFLOP/s"});
    throw UserError(ExitCode::usage, "--plot: '" + y + "' is neither time, GB/s, GFLOP/s nor a " +
                                         "stored metric" + did_you_mean(y, known));
  }
  throw UserError(
      ExitCode::nothing_stored,
      fmt::format("no fastest configuration in {} has a value of {}: {}", database.string(), y,
                  is_rate ? "the spec's [work] does not state it"
                          : "run " + options.tuned_by + " --metrics " + y));
}

void note_missing_points(const BestCurves& curves) {
  if (curves.without_y == 0) return;
  spdlog::info("note: without a value of {}: {}", curves.axes.y,
               counted(curves.without_y, "point"));
}

int query_plot(const KernelSpec& spec, const KernelIdentity& identity,
               const QueryOptions& options) {
  const PlotAxes axes = parse_plot_axes(spec, *options.plot);
  const GivenSizes given = options.all ? GivenSizes() : options.sizes.values(spec);
  BestFilter filter;
  if (!options.device.empty()) filter.device_name = options.device;
  std::vector<ConfigSpeed> speeds;
  BestCurves curves;
  const Results results = open_results(wanted(options), identity, [&](const Database& database) {
    speeds = speeds_to_plot(spec, axes, given, database.load_speeds(identity, filter));
    curves = best_curves(spec, axes, speeds, [&](const ConfigSpeed& speed) {
      return database.load_comparable_metrics(speed.measurement_id);
    });
    return !curves.curves.empty();
  });
  if (speeds.empty()) {
    throw UserError(ExitCode::nothing_stored,
                    nothing_line(spec, results.database, identity, options) +
                        tuned_sizes(results.database, identity, spec));
  }
  if (curves.curves.empty() && curves.without_y == 0) {
    throw UserError(ExitCode::nothing_stored,
                    fmt::format("--plot: no stored configuration has {}{}", axes.x,
                                axes.group.empty() ? "" : " and " + axes.group));
  }
  if (curves.curves.empty()) refuse_y(axes.y, options, results.database.path());
  note_sources(results, spec.name);
  note_missing_points(curves);
  const std::string svg =
      svg_of({curves_chart(spec, curves, speeds)}, curves_description(spec, curves));
  if (options.file.empty()) {
    print_out(svg);
  } else {
    write_whole_file(options.file, svg);
  }
  return 0;
}

int query_leave_out(const KernelSpec& spec, const KernelIdentity& identity,
                    const QueryOptions& options) {
  if (options.sizes.any()) {
    throw UserError(ExitCode::usage, "--leave-one-out uses all tuned sizes: give none");
  }
  std::vector<Winner> winners;
  const Results results = open_results(wanted(options), identity, [&](const Database& database) {
    winners = winners_of_models(database.winners(identity));
    std::erase_if(winners, [&](const Winner& winner) {
      return !options.device.empty() && !same_device_name(winner.device.name, options.device);
    });
    return !winners.empty();
  });
  const Database& database = results.database;
  if (winners.empty()) {
    throw UserError(ExitCode::nothing_stored, nothing_line(spec, database, identity, options));
  }
  note_sources(results, spec.name);
  const LeaveOutReport report =
      leave_out(winners, database.load_speeds(identity), current_rules(spec), 1);
  print_out(render(leave_out_report(spec, report), format_of(options)));
  return 0;
}

int query(const KernelSpec& spec, const QueryOptions& options) {
  if (!options.table.empty()) require_parameters(spec, options.table);
  const KernelIdentity identity = current_identity(spec);
  if (!options.table.empty()) return query_table(spec, identity, options);
  if (options.plot) return query_plot(spec, identity, options);
  if (options.leave_one_out) return query_leave_out(spec, identity, options);
  if (options.pareto || options.objective != "time") {
    const EnergyQuestion question{objective_from_string(options.objective), options.pareto};
    const SizeOptions any;
    print_out(render(query_energy(spec, identity,
                                  {question, options.all ? any : options.sizes, options.device,
                                   wanted(options)}),
                     format_of(options)));
    return 0;
  }
  const auto bundled = bundled_database_of(options.timing.asked());
  std::vector<Answer> answers;
  const Results results = open_results(wanted(options), identity, [&](const Database& database) {
    answers = ask(spec, database, identity, options, bundled);
    return !answers.empty();
  });
  if (answers.empty()) {
    throw UserError(ExitCode::nothing_stored,
                    nothing_line(spec, results.database, identity, options));
  }
  name_sources(results, answers);
  if (!options.field) {
    constexpr std::size_t most_blocks = 8;
    const bool as_table = format_of(options) == Format::text && answers.size() > most_blocks;
    print_out(render(as_table ? best_table(spec, answers) : best_report(spec, answers),
                     format_of(options)));
    return 0;
  }
  const std::string value = field_of(answers, *options.field);
  if (answers.front().bundled || !answers.front().from.empty()) {
    spdlog::info("note: this is from {}{}", answers.front().bundled ? "the " : "",
                 source_text(answers.front()));
  }
  print_out(value + '\n');
  return 0;
}

CLI::Option* add_table_option(CLI::App& command, QueryOptions& options) {
  return command
      .add_option("--table", options.table,
                  "Print the best measured time for each pair of values of two parameters: BM,BN")
      ->type_name(value_type::parameter_pair)
      ->delimiter(',')
      ->expected(2)
      ->allow_extra_args(false);
}

CLI::Option* add_plot_options(CLI::App& command, QueryOptions& options, const AskedKernel* kernel) {
  CLI::Option* plot =
      command
          .add_option("--plot", options.plot,
                      "Draw an SVG image of Y over X, a line for each value of GROUP\n"
                      "  X, GROUP: sizes or parameters\n"
                      "  Y: time, GB/s, GFLOP/s or a stored metric, of the fastest configuration")
          ->type_name(value_type::plot_axes);
  add_output_option(command, options.file, kernel)
      ->description("Write the plot to this file [standard output]")
      ->needs(plot);
  return plot;
}

void add_energy_options(CLI::App& command, QueryOptions& options,
                        const std::vector<CLI::Option*>& excluded) {
  CLI::Option* objective = add_choices(
      command.add_option("--objective", options.objective,
                         "The configuration with the least time, energy or edp, their product; "
                         "energy and edp among those whose energy was measured at this size"),
      value_type::objective, {"time", "energy", "edp"});
  objective->capture_default_str();
  CLI::Option* pareto =
      command.add_flag("--pareto", options.pareto,
                       "Also list the configurations that no other beats in both time and energy");
  for (CLI::Option* other : excluded) {
    objective->excludes(other);
    pareto->excludes(other);
  }
}

}  // namespace

void add_query_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command = app.add_subcommand(
      "query",
      "Look up the best stored configuration, or the expected best for a size that was not tuned");
  add_kernel_argument(*command);
  auto options = context.keep<QueryOptions>();
  add_device_name_option(*command, options->device);
  auto* arch = command
                   ->add_option("--arch", options->arch,
                                "If nothing is stored for the device, take results of this "
                                "architecture, else of the nearest: " +
                                    known_architectures_text())
                   ->type_name(value_type::architecture);
  options->databases.add_to(*command);
  command->add_flag("--all", options->all, "List every stored best, whatever the sizes");
  options->timing.add_to_reading(*command);
  auto* field =
      command->add_option("--field", options->field, "Print only the value of this parameter")
          ->type_name(value_type::parameter);
  CLI::Option* table = add_table_option(*command, *options);
  table->excludes(field)->excludes(arch);
  auto* json = add_json_flag(*command, options->json)->excludes(field);
  auto* csv =
      command->add_flag("--csv", options->csv, "Print as CSV")->excludes(field)->excludes(json);
  CLI::Option* plot = add_plot_options(*command, *options, kernel);
  for (CLI::Option* other : {field, arch, json, csv, table}) plot->excludes(other);
  CLI::Option* leave_one_out = command->add_flag(
      "--leave-one-out", options->leave_one_out,
      "Print the loss of each tuned problem if the measurements of the others answered for it");
  for (CLI::Option* other : {field, csv, arch, table, plot}) leave_one_out->excludes(other);
  add_energy_options(*command, *options, {field, arch, table, plot, leave_one_out});
  add_examples(
      *command,
      {"# The best stored configuration, or the expected best for a size that was not tuned",
       "gtune query sgemm --M 4000 --K 512", "# One value, for a script",
       "gtune query sgemm --M 4096 --device 'NVIDIA H200' --field BM",
       "# Results for another GPU of an architecture", "gtune query sgemm --M 4096 --arch sm_90",
       "# Every stored best, for a spreadsheet", "gtune query sgemm --all --csv",
       "# The bandwidth of copies, reads and writes by their size",
       "gtune query copy --plot bytes,GB/s,mode -o copy.svg"});
  act_on_kernel(*command, context, kernel, options, query);
}

}  // namespace gtune
