#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <tuple>

#include "answer/first_mode.hpp"
#include "answer/measured_times.hpp"
#include "answer/model_winners.hpp"
#include "answer/size_rules.hpp"
#include "cli/asked_kernel.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/compile_cubins.hpp"
#include "cli/current_identity.hpp"
#include "cli/current_rules.hpp"
#include "cli/database_choice.hpp"
#include "cli/kernel_action.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/problem_filter.hpp"
#include "cli/share_argument.hpp"
#include "cli/timing_options.hpp"
#include "cli/value_types.hpp"
#include "export/dispatcher.hpp"
#include "export/header.hpp"
#include "export/portfolio_fallbacks.hpp"
#include "export/portfolio_report.hpp"
#include "jit/include_scanner.hpp"
#include "jit/nvcc_toolchain.hpp"
#include "model/error.hpp"
#include "model/one_line.hpp"
#include "model/words.hpp"
#include "spec/given_sizes.hpp"
#include "spec/problem_sizes.hpp"
#include "store/database.hpp"
#include "system/shell_word.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

struct ExportOptions {
  std::string tuned_by;
  std::string kernel;  // "sgemm --math tf32x3"
  std::string device;
  std::string where;
  TimingOptions timing;
  DatabaseOptions databases;
  std::string file;
  std::string format = "header";
  std::size_t most_instances = 8;
  std::string most_loss = "3%";
};

std::vector<Winner> find_winners(const Database& database, const KernelIdentity& identity,
                                 const ProblemFilter& filter, const ExportOptions& options) {
  std::vector<Winner> winners = winners_of_models(database.winners(identity));
  std::erase_if(winners, [&](const Winner& winner) {
    return !filter.holds(winner.problem) ||
           (!options.device.empty() && !same_device_name(winner.device.name, options.device));
  });
  // A header chooses by times of one mode.
  const std::size_t others = keep_first_mode(winners);
  if (others > 0) {
    spdlog::info(
        "note: exports times of mode {}; {} problems have only other modes, which --timing "
        "asks for",
        winners.front().mode.text(), others);
  }
  return winners;
}

/// The times that were measured on the winners' GPU models.
std::vector<ConfigSpeed> find_speeds(const Database& database, const KernelIdentity& identity,
                                     const std::vector<Winner>& winners) {
  std::vector<ConfigSpeed> speeds = database.load_speeds(identity);
  std::erase_if(speeds, [&](const ConfigSpeed& speed) {
    return std::none_of(winners.begin(), winners.end(), [&](const Winner& winner) {
      return winner.device.name == speed.device.name &&
             winner.device.replayed == speed.device.replayed;
    });
  });
  return speeds;
}

/// The command without paths: the same database gives the same bytes, wherever the files are.
std::string made_by(const ExportOptions& options) {
  const ExportOptions defaults;
  std::string command = "gtune export " + options.kernel;
  if (options.format != defaults.format) command += " --format " + options.format;
  if (options.most_instances != defaults.most_instances) {
    command += fmt::format(" --max-variants {}", options.most_instances);
  }
  if (options.most_loss != defaults.most_loss) command += " --max-loss " + options.most_loss;
  if (!options.device.empty()) command += " --device " + shell_word(options.device);
  if (!options.where.empty()) command += " --where " + shell_word(options.where);
  if (const auto mode = options.timing.asked()) command += mode->options();
  return command;
}

/// How many winners are from each --also file, which is named without its folder.
std::vector<std::string> also_lines(const Results& results, const Portfolio& portfolio) {
  std::vector<std::string> lines;
  for (const std::filesystem::path& file : results.origins.also_files()) {
    const auto count =
        std::count_if(portfolio.served.begin(), portfolio.served.end(), [&](const Served& served) {
          return results.origins.also_file(served.winner.measurement_id) == file;
        });
    if (count == 0) continue;
    lines.push_back(fmt::format("from: {}, {} of {} problems", one_line(file.filename().string()),
                                count, portfolio.served.size()));
  }
  return lines;
}

std::vector<std::string> provenance(const KernelSpec& spec, const Results& results,
                                    const Portfolio& portfolio, const ExportOptions& options) {
  std::vector<std::string> lines = {"made by: " + made_by(options)};
  if (results.bundled()) lines.emplace_back("from: the bundled results");
  for (const std::string& line : also_lines(results, portfolio)) lines.push_back(line);
  std::vector<const Winner*> winners;
  for (const Served& served : portfolio.served) winners.push_back(&served.winner);
  std::stable_sort(winners.begin(), winners.end(), [](const Winner* a, const Winner* b) {
    return std::tie(a->device.replayed, a->device.name) <
           std::tie(b->device.replayed, b->device.name);
  });
  for (const Winner* winner : winners) {
    const BestRow row = results.database.load_best(*winner);
    const std::string line =
        fmt::format("measured on: {}{}, driver {}, {} {}, gtune {}{}", row.device.name,
                    row.device.replayed ? " (replayed from a recording)" : "", row.toolchain.driver,
                    compiler_name(spec.compiler), row.toolchain.nvrtc, row.toolchain.gtune,
                    row.mode == TimingMode{} ? "" : ", timed " + row.mode.phrase());
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  lines.push_back(fmt::format("{}, {} of {}", counted(portfolio.served.size(), "problem"),
                              counted(portfolio.variants.size(), "variant"),
                              counted(portfolio.instance_count(), "instance")));
  return lines;
}

/// Shell commands: a line for each tuned problem that some variants were never measured on.
std::string missing_commands(const KernelSpec& spec, const Results& results,
                             const std::vector<Unmeasured>& unmeasured,
                             const ExportOptions& options) {
  const std::string into = options.databases.own_words();
  std::string lines;
  if (results.bundled() && !unmeasured.empty()) {
    // Otherwise the user's database would hold only what the other commands measure.
    lines = "gtune db export --db " + shell_word(results.database.path().string()) +
            " | gtune db import /dev/stdin" + into + '\n';
  }
  for (const Unmeasured& each : unmeasured) {
    std::string line =
        options.tuned_by + given_sizes(spec, each.where.problem) + each.where.mode.options();
    for (const Config& config : each.variants) line += " --config " + shell_word(config.text());
    lines += line + into + "  # on " + each.where.device.name + '\n';
  }
  return lines;
}

/// The report for people, which says what would improve the choice.
Document export_report(const KernelSpec& spec, const Portfolio& portfolio,
                       const std::vector<Unmeasured>& unmeasured) {
  Document report = portfolio_report(spec, portfolio);
  std::size_t pairs = 0;
  for (const Unmeasured& each : unmeasured) pairs += each.variants.size();
  if (pairs == 0) return report;
  return report.note(fmt::format(
      "{} pairs of problem and instance were not measured with a launch that is kept, so losses "
      "may be lower: --format missing prints the commands that measure them",
      pairs));
}

/// What is exported, in any format.
struct Exported {
  const KernelSpec& spec;
  const KernelIdentity& identity;
  const Results& results;
  Portfolio portfolio;
  std::vector<Unmeasured> unmeasured;
};

std::string text_of(const Exported& what, const ExportOptions& options) {
  const KernelSpec& spec = what.spec;
  const Portfolio& portfolio = what.portfolio;
  const auto facts = [&] {
    return HeaderFacts{what.identity, provenance(spec, what.results, portfolio, options)};
  };
  if (options.format == "header") {
    return header_text(spec, portfolio, facts(), HeaderLanguage::cpp);
  }
  if (options.format == "c-header") {
    return header_text(spec, portfolio, facts(), HeaderLanguage::c);
  }
  if (options.format == "dispatcher") {
    return dispatcher_text(spec, portfolio, facts(), source_files(spec.source, spec.options));
  }
  if (options.format == "cubin") {
    HeaderFacts known = facts();
    known.provenance.push_back(fmt::format("compiled with {} {}", compiler_name(spec.compiler),
                                           compiler_release(spec.compiler)));
    return cubin_header_text(spec, portfolio, known, compile_cubins(spec, portfolio));
  }
  if (options.format == "json") return json_of(portfolio_report(spec, portfolio));
  if (options.format == "csv") return csv_of(portfolio_report(spec, portfolio));
  if (options.format == "missing") {
    return missing_commands(spec, what.results, what.unmeasured, options);
  }
  return text_of(export_report(spec, portfolio, what.unmeasured));
}

int export_kernel(const KernelSpec& spec, const ExportOptions& options) {
  const double most_loss = parse_share("--max-loss", options.most_loss);
  const KernelIdentity identity = current_identity(spec);
  const ProblemFilter filter(spec, "--where", options.where);
  std::vector<Winner> winners;
  const Results results =
      open_results({options.tuned_by, options.databases, options.timing.asked()}, identity,
                   [&](const Database& database) {
                     winners = find_winners(database, identity, filter, options);
                     return !winners.empty();
                   });
  const Database& database = results.database;
  if (winners.empty()) {
    throw UserError(ExitCode::nothing_stored,
                    fmt::format("no stored result of {}{}{} in {} to export: run {}", spec.name,
                                options.device.empty() ? "" : " for '" + options.device + "'",
                                options.where.empty() ? "" : " where " + options.where,
                                database.path().string(),
                                options.tuned_by + options_of(options.timing.asked())));
  }
  const SizeRules rules = current_rules(spec);
  const std::vector<ConfigSpeed> speeds = find_speeds(database, identity, winners);
  Exported what{spec, identity, results, {}, {}};
  const PortfolioLimits limits{options.most_instances, most_loss};
  what.portfolio = choose_portfolio(winners, speeds, limits, rules);
  add_fallbacks(what.portfolio, database, identity, rules);
  add_models(what.portfolio, speeds, rules);
  add_contenders(what.portfolio, limits, rules);
  what.unmeasured = find_unmeasured(what.portfolio, MeasuredTimes(speeds), rules);
  const std::string text = text_of(what, options);
  if (options.file.empty()) {
    note_sources(results, spec.name);
    print_out(text);
    return 0;
  }
  write_whole_file(options.file, text);
  note_sources(results, spec.name);
  if (options.format != "text")
    print_out(text_of(export_report(spec, what.portfolio, what.unmeasured)));
  return 0;
}

}  // namespace

void add_export_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command = app.add_subcommand(
      "export", "Write a C++ or C header that chooses among the best configurations by size");
  add_kernel_argument(*command);
  auto options = context.keep<ExportOptions>();
  add_output_option(*command, options->file, kernel);
  auto* format =
      command->add_option("--format", options->format,
                          "What to write\n"
                          "  header: C++17, constexpr, for host and device\n"
                          "  c-header: the same in C99\n"
                          "  dispatcher: the kernel's instances, to include after the header\n"
                          "  cubin: the instances compiled, for cuModuleLoadData\n"
                          "  json, csv, text: the chosen configurations and their losses\n"
                          "  missing: commands that measure the variants that were not measured");
  add_choices(format, value_type::format,
              {"header", "c-header", "dispatcher", "cubin", "json", "csv", "text", "missing"})
      ->capture_default_str();
  command
      ->add_option(
          "--max-variants", options->most_instances,
          "Maximum number of compiled instances to keep, each with values of its launch-only "
          "parameters, beside a few fallbacks; 0: any number")
      ->check(CLI::Range(0, 1000))
      ->type_name(value_type::number)
      ->capture_default_str();
  command
      ->add_option("--max-loss", options->most_loss,
                   "Maximum slowdown from each problem's best: 3%, or 0.03; 0: each keeps its own")
      ->type_name(value_type::share)
      ->capture_default_str();
  add_device_name_option(*command, options->device);
  command
      ->add_option("--where", options->where,
                   "Use only tuned problems that satisfy this: 'M >= 32 && N >= 32'")
      ->type_name(value_type::expression);
  options->timing.add_to_reading(*command);
  options->databases.add_to(*command);
  add_examples(
      *command,
      {"# Eight configurations for all tuned sizes, each within 3 % of its best",
       "gtune export sgemm -o gtune_sgemm.hpp", "# The best of every tuned problem, in C99",
       "gtune export sgemm --format c-header --max-loss 0 --max-variants 0 -o gtune_sgemm.h",
       "# What the choice costs, without a header", "gtune export sgemm --format text"});
  if (kernel != nullptr) options->kernel = kernel->words_in_any_folder();
  act_on_kernel(*command, context, kernel, options, export_kernel);
}

}  // namespace gtune
