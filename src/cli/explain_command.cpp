#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "answer/query_service.hpp"
#include "cli/asked_kernel.hpp"
#include "cli/asked_measurement.hpp"
#include "cli/asked_speeds.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/current_identity.hpp"
#include "cli/current_rules.hpp"
#include "cli/database_choice.hpp"
#include "cli/kernel_action.hpp"
#include "cli/kernel_options.hpp"
#include "cli/output.hpp"
#include "cli/own_source_texts.hpp"
#include "cli/parsers.hpp"
#include "cli/timing_options.hpp"
#include "cli/value_types.hpp"
#include "explain/effects_report.hpp"
#include "explain/explain_report.hpp"
#include "explain/findings.hpp"
#include "explain/forecasts_report.hpp"
#include "explain/lines_report.hpp"
#include "explain/stored_subject.hpp"
#include "model/error.hpp"
#include "report/few_sizes.hpp"
#include "spec/evaluate.hpp"
#include "spec/given_sizes.hpp"
#include "spec/problem_text.hpp"
#include "store/database.hpp"

namespace gtune {
namespace {

struct ExplainOptions {
  std::string tuned_by;  // "gtune sgemm", "gtune tune FILE.toml"
  SizeOptions sizes;
  std::string device;
  DatabaseOptions databases;
  std::string config = "best";
  std::optional<std::string> versus;
  bool effects = false;
  bool lines = false;
  bool forecasts = false;
  TimingOptions timing;
  bool json = false;
  bool csv = false;
};

Format format_of(const ExplainOptions& options) {
  if (options.json) return Format::json;
  return options.csv ? Format::csv : Format::text;
}

ResultsWanted wanted(const ExplainOptions& options) {
  return {options.tuned_by, options.databases, options.timing.asked()};
}

int explain_effects(const KernelSpec& spec, const KernelIdentity& identity,
                    const ExplainOptions& options) {
  std::vector<ProblemEffects> problems;
  const Results results = open_results(wanted(options), identity, [&](const Database& database) {
    problems = find_effects(asked_speeds(database, identity, spec, options.sizes, options.device));
    return !problems.empty();
  });
  const Database& database = results.database;
  if (problems.empty()) {
    throw UserError(
        ExitCode::nothing_stored,
        fmt::format("no stored result of {} in {} for these sizes{}: run {}{}", spec.name,
                    database.path().string(), tuned_sizes(database, identity, spec),
                    options.tuned_by, options_of(options.timing.asked())));
  }
  note_sources(results, spec.name);
  print_out(render(effects_report(spec, problems), options.json ? Format::json : Format::text));
  return 0;
}

Explanation explain_answer(const Database& database, const KernelIdentity& identity,
                           const KernelSpec& spec, const ExplainOptions& options, Answer answer) {
  const BestRow& best = answer.row;
  const std::vector<ConfigSpeed> speeds = speeds_beside(database, identity, best);
  const auto find = [&](const std::string& option, const std::string& words) {
    const AskedMeasurement asked = asked_measurement(database, spec, best, speeds, option, words);
    return stored_subject(database, spec, best, asked.name, asked.stored);
  };
  Explanation out{{}, find("--config", options.config), std::nullopt, {}, {}};
  if (options.versus) {
    out.versus = find("--vs", *options.versus);
    if (out.versus->name == out.subject.name) out.versus->name = "other";
  }
  out.findings = find_findings(
      out.subject,
      {spec, {best.problem, out.subject.measured.config, best.device}, speeds, nullptr},
      counted_subjects(database, spec, best));
  out.tuned_by = options.tuned_by + given_sizes(spec, best.problem) + best.mode.options();
  out.answer = std::move(answer);
  return out;
}

/// The source lines of what --config names. Throws UserError (nothing_stored) if there are none.
ExplainedLines explain_lines_of(const Database& database, const KernelIdentity& identity,
                                const KernelSpec& spec, const ExplainOptions& options,
                                Answer answer) {
  const BestRow& best = answer.row;
  AskedMeasurement asked = asked_measurement(
      database, spec, best, speeds_beside(database, identity, best), "--config", options.config);
  auto lines = database.load_comparable_lines(asked.stored.id);
  if (!lines || !lines->profile) {
    const Problem& wanted = answer.asked.entries().empty() ? best.problem : answer.asked;
    throw UserError(
        ExitCode::nothing_stored,
        fmt::format(
            "no source lines of {} are stored for {}{}: {}{}{}{} --profile lines samples them "
            "on a GPU",
            asked.name, problem_text(spec, wanted), lines ? " (" + lines->reason + ")" : "",
            options.tuned_by, given_sizes(spec, wanted), best.mode.options(),
            options.config.empty() || asked.stored.measurement.config.empty()
                ? ""
                : " --config " + config_text(spec, asked.stored.measurement.config)));
  }
  const Measurement& measured = asked.stored.measurement;
  auto stalls = find_stalls(
      {existing_values(spec, measured.config), measured.timing->median_ms, *lines->profile},
      sampled_configs(database, spec, best.best.id),
      stored_subject(database, spec, best, "", asked.stored));
  return {std::move(answer), std::move(asked.name), std::move(asked.stored.measurement),
          std::move(*lines->profile), std::move(stalls)};
}

/// Explains the answers for which `explain` finds measurements, and notes the others. Throws
/// UserError (nothing_stored) if there are none.
template <typename Explain>
auto explain_answers(std::vector<Answer> answers, Explain explain) {
  std::vector<decltype(explain(std::move(answers.front())))> explanations;
  std::vector<std::string> missing;
  for (Answer& answer : answers) {
    try {
      explanations.push_back(explain(std::move(answer)));
    } catch (const UserError& error) {
      if (error.code() != ExitCode::nothing_stored) throw;
      missing.emplace_back(error.what());
    }
  }
  if (explanations.empty()) throw UserError(ExitCode::nothing_stored, missing.front());
  constexpr std::size_t most_notes = 3;
  for (std::size_t i = 0; i < std::min(most_notes, missing.size()); ++i) {
    spdlog::info("note: {}", missing[i]);
  }
  if (missing.size() > most_notes) {
    spdlog::info("note: the same holds for {} more problems", missing.size() - most_notes);
  }
  return explanations;
}

/// A hint that lists the stored sizes that `explain` has something to say about: "; it was for n=4;
/// n=8".
template <typename Explain>
std::string sizes_with_it(const Database& database, const KernelIdentity& identity,
                          const KernelSpec& spec, const ExplainOptions& options, Explain explain) {
  std::vector<Problem> problems;
  for (const Answer& answer : all_answers(database, identity, options.device)) {
    try {
      explain(database, answer);
      problems.push_back(answer.row.problem);
    } catch (const UserError&) {  // not there
    }
  }
  return problems.empty() ? "" : "; it was for " + few_sizes(spec, problems);
}

/// What `explain(database, answer)` says of the answers for the asked sizes, or of all stored ones.
template <typename Explain>
auto explain_asked(const KernelSpec& spec, const KernelIdentity& identity,
                   const ExplainOptions& options, Explain explain) {
  std::vector<Answer> answers;
  const Results results = open_results(wanted(options), identity, [&](const Database& database) {
    answers = options.sizes.any() ? asked_answers(database, identity, current_rules(spec),
                                                  options.sizes.problems(spec), options.device)
                                  : all_answers(database, identity, options.device);
    return !are_guessed_from_recordings(answers);
  });
  const Database& database = results.database;
  name_sources(results, answers);
  if (answers.empty()) {
    throw UserError(ExitCode::nothing_stored,
                    nothing_asked_line(database, identity, spec, options.device, options.tuned_by,
                                       options.timing.asked()));
  }
  try {
    return explain_answers(std::move(answers),
                           [&](Answer&& answer) { return explain(database, std::move(answer)); });
  } catch (const UserError& error) {
    if (error.code() != ExitCode::nothing_stored || !options.sizes.any()) throw;
    throw UserError(error.code(),
                    error.what() + sizes_with_it(database, identity, spec, options, explain));
  }
}

int explain_speed(const KernelSpec& spec, const KernelIdentity& identity,
                  const ExplainOptions& options) {
  const auto explained =
      explain_asked(spec, identity, options, [&](const Database& database, Answer answer) {
        return explain_answer(database, identity, spec, options, std::move(answer));
      });
  print_out(render(explain_report(spec, explained), format_of(options)));
  return 0;
}

int explain_lines(const KernelSpec& spec, const KernelIdentity& identity,
                  const ExplainOptions& options) {
  const auto explained =
      explain_asked(spec, identity, options, [&](const Database& database, Answer answer) {
        return explain_lines_of(database, identity, spec, options, std::move(answer));
      });
  const SourceTexts texts = own_source_texts(spec, explained.front().answer.config);
  print_out(render(lines_report(spec, explained, texts), format_of(options)));
  return 0;
}

/// Throws UserError (nothing_stored) if no two configurations of the problem have metrics.
ProblemForecasts forecasts_of(const Database& database, const KernelIdentity& identity,
                              const KernelSpec& spec, const ExplainOptions& options,
                              const Answer& answer) {
  const BestRow& best = answer.row;
  MeasuredProblem measured{spec, best.problem, best.device, {}, {}};
  measured.counted = counted_subjects(database, spec, best);
  std::erase_if(measured.counted,
                [](const Subject& each) { return each.measured.phase == Phase::baseline; });
  if (measured.counted.size() < 2) {
    throw UserError(
        ExitCode::nothing_stored,
        fmt::format("no two configurations of {} have metrics for {}: {}{}{} --profile all "
                    "measures them",
                    spec.name, problem_text(spec, best.problem), options.tuned_by,
                    given_sizes(spec, best.problem), best.mode.options()));
  }
  measured.speeds = speeds_beside(database, identity, best);
  return {best.device, best.problem, is_own_and_exact(answer) ? "" : source_text(answer),
          measured.counted.size(), check_forecasts(measured)};
}

int explain_forecasts(const KernelSpec& spec, const KernelIdentity& identity,
                      const ExplainOptions& options) {
  const auto problems =
      explain_asked(spec, identity, options, [&](const Database& database, const Answer& answer) {
        return forecasts_of(database, identity, spec, options, answer);
      });
  const bool is_any = std::any_of(problems.begin(), problems.end(), [](const auto& each) {
    return !each.checked.bounds.empty() || !each.checked.steps.empty();
  });
  if (!is_any) {
    throw UserError(ExitCode::nothing_stored,
                    fmt::format("no pair of measured configurations of {} differs in one parameter "
                                "and in a finding: {} --profile all measures more",
                                spec.name, options.tuned_by));
  }
  print_out(render(forecasts_report(spec, problems), format_of(options)));
  return 0;
}

int explain(const KernelSpec& spec, const ExplainOptions& options) {
  if (options.csv && !options.lines && !options.forecasts) {
    throw UserError(ExitCode::usage, "--csv needs --lines or --forecasts");
  }
  const KernelIdentity identity = current_identity(spec);
  if (options.forecasts) return explain_forecasts(spec, identity, options);
  if (options.effects) return explain_effects(spec, identity, options);
  return options.lines ? explain_lines(spec, identity, options)
                       : explain_speed(spec, identity, options);
}

}  // namespace

void add_explain_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command =
      app.add_subcommand("explain", "Explain from stored results what limits a kernel's speed");
  add_kernel_argument(*command);
  auto options = context.keep<ExplainOptions>();
  auto* config =
      command
          ->add_option("--config", options->config,
                       "What to explain: best, a baseline, or the fastest with these values of "
                       "parameters [best]")
          ->type_name(value_type::measured);
  auto* versus =
      command->add_option("--vs", options->versus, "Compare with this one, metric by metric")
          ->type_name(value_type::measured);
  auto* effects =
      command
          ->add_flag("--effects", options->effects,
                     "Print what each parameter contributes: the best time with each of its values")
          ->excludes(config)
          ->excludes(versus);
  auto* lines = command
                    ->add_flag("--lines", options->lines,
                               "Print where in its source the kernel waits, line by line (sampled "
                               "by --profile lines of a tuning command)")
                    ->excludes(versus)
                    ->excludes(effects);
  command
      ->add_flag("--forecasts", options->forecasts,
                 "Check the findings of all measured configurations against one another: how often "
                 "their bounds held, how their steps fared")
      ->excludes(config)
      ->excludes(versus)
      ->excludes(effects)
      ->excludes(lines);
  add_device_name_option(*command, options->device);
  options->timing.add_to_reading(*command);
  options->databases.add_to(*command);
  auto* json = add_json_flag(*command, options->json);
  command
      ->add_flag("--csv", options->csv,
                 "Print the lines of --lines, or the checks of --forecasts, as CSV")
      ->excludes(json);
  add_examples(*command,
               {"# What limits the best configuration", "gtune explain sgemm --M 4096",
                "# The same beside the naive kernel", "gtune explain sgemm --M 4096 --vs naive",
                "# What each parameter contributes", "gtune explain sgemm --M 4096 --effects",
                "# Where in the source it waits", "gtune explain sgemm --M 4096 --lines",
                "# How often findings were right", "gtune explain sgemm --M 1024 --forecasts"});
  act_on_kernel(*command, context, kernel, options, explain);
}

}  // namespace gtune
