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
#include "cli/parsers.hpp"
#include "cli/timing_options.hpp"
#include "cli/value_types.hpp"
#include "explain/effects_report.hpp"
#include "explain/explain_report.hpp"
#include "explain/findings.hpp"
#include "explain/stored_subject.hpp"
#include "model/error.hpp"
#include "report/few_sizes.hpp"
#include "spec/given_sizes.hpp"
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
  TimingOptions timing;
  bool json = false;
};

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
      out.subject, {spec, {best.problem, out.subject.measured.config, best.device}, speeds});
  out.tuned_by = options.tuned_by + given_sizes(spec, best.problem) + best.mode.options();
  out.answer = std::move(answer);
  return out;
}

/// Explains the answers that have measurements of what --config and --vs name, and notes the
/// others. Throws UserError (nothing_stored) if none has.
std::vector<Explanation> explain_answers(const Database& database, const KernelIdentity& identity,
                                         const KernelSpec& spec, const ExplainOptions& options,
                                         std::vector<Answer> answers) {
  std::vector<Explanation> explanations;
  std::vector<std::string> missing;
  for (Answer& answer : answers) {
    try {
      explanations.push_back(explain_answer(database, identity, spec, options, std::move(answer)));
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

/// A hint that lists stored sizes with these measurements: "; it was for n=4; n=8".
std::string sizes_with_it(const Database& database, const KernelIdentity& identity,
                          const KernelSpec& spec, const ExplainOptions& options) {
  std::vector<Problem> problems;
  for (const Answer& answer : all_answers(database, identity, options.device)) {
    try {
      problems.push_back(
          explain_answer(database, identity, spec, options, answer).answer.row.problem);
    } catch (const UserError&) {  // not there
    }
  }
  return problems.empty() ? "" : "; it was for " + few_sizes(spec, problems);
}

int explain_speed(const KernelSpec& spec, const KernelIdentity& identity,
                  const ExplainOptions& options) {
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
  std::vector<Explanation> explanations;
  try {
    explanations = explain_answers(database, identity, spec, options, std::move(answers));
  } catch (const UserError& error) {
    if (error.code() != ExitCode::nothing_stored || !options.sizes.any()) throw;
    throw UserError(error.code(), error.what() + sizes_with_it(database, identity, spec, options));
  }
  print_out(render(explain_report(spec, explanations), options.json ? Format::json : Format::text));
  return 0;
}

int explain(const KernelSpec& spec, const ExplainOptions& options) {
  const KernelIdentity identity = current_identity(spec);
  return options.effects ? explain_effects(spec, identity, options)
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
  command
      ->add_flag("--effects", options->effects,
                 "Print what each parameter contributes: the best time with each of its values")
      ->excludes(config)
      ->excludes(versus);
  add_device_name_option(*command, options->device);
  options->timing.add_to_reading(*command);
  options->databases.add_to(*command);
  add_json_flag(*command, options->json);
  add_examples(*command,
               {"# What limits the best configuration", "gtune explain sgemm --M 4096",
                "# The same beside the naive kernel", "gtune explain sgemm --M 4096 --vs naive",
                "# What each parameter contributes", "gtune explain sgemm --M 4096 --effects"});
  act_on_kernel(*command, context, kernel, options, explain);
}

}  // namespace gtune
