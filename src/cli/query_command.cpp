#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "cli/commands.hpp"
#include "cli/find_kernel.hpp"
#include "cli/kernel_options.hpp"
#include "cli/output.hpp"
#include "model/error.hpp"
#include "report/best_report.hpp"
#include "spec/evaluate.hpp"
#include "spec/suggestion.hpp"
#include "store/database.hpp"
#include "store/default_path.hpp"
#include "tune/identity.hpp"

namespace gtune {
namespace {

struct QueryOptions {
  std::string tuned_by;  // "gtune sgemm", "gtune tune FILE.toml"
  SizeOptions sizes;
  std::string device;
  std::string arch;
  std::string database;
  std::string field;
  bool all = false;
  bool json = false;
  bool csv = false;
};

std::string nothing_line(const KernelSpec& spec, const Database& database,
                         const KernelIdentity& identity, const QueryOptions& options) {
  BestFilter filter;
  if (!options.device.empty()) filter.device_name = options.device;
  if (database.count_other_sources(identity, filter) > 0) {
    return fmt::format(
        "what is stored of {} in {} was measured with another version of {} or its spec: run {} "
        "again",
        spec.name, database.path().string(), spec.source.filename().string(), options.tuned_by);
  }
  if (!options.device.empty() && !database.stored_problems(identity).empty()) {
    return fmt::format(
        "nothing stored of {} for '{}' in {}: tune it there, or give --arch to take what another "
        "device of that architecture found",
        spec.name, options.device, database.path().string());
  }
  return fmt::format("nothing stored of {} in {}: run {}", spec.name, database.path().string(),
                     options.tuned_by);
}

/// "sm_90", "sm_90a" or "90".
std::optional<int> compute_capability(const std::string& arch) {
  if (arch.empty()) return std::nullopt;
  const std::string digits = arch.starts_with("sm_") ? arch.substr(3) : arch;
  int value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::string rest(parsed.ptr, digits.data() + digits.size());
  if (parsed.ec != std::errc() || value < 10 || (!rest.empty() && rest != "a" && rest != "f")) {
    throw UserError(ExitCode::usage, "--arch " + arch + ": expected an architecture such as sm_90");
  }
  return value;
}

std::vector<Answer> ask(const KernelSpec& spec, const Database& database,
                        const KernelIdentity& identity, const QueryOptions& options) {
  std::vector<Answer> answers;
  if (options.all || !options.sizes.any()) {
    BestFilter filter;
    if (!options.device.empty()) filter.device_name = options.device;
    for (BestRow& row : database.query_best(identity, filter)) {
      answers.push_back({Tier::exact, std::move(row)});
    }
    return answers;
  }
  for (const Problem& problem : options.sizes.problems(spec)) {
    Question question{problem, std::nullopt, compute_capability(options.arch),
                      [&](const Config& config, const DeviceFacts& device) {
                        return satisfies(spec, problem, config, device);
                      }};
    if (!options.device.empty()) question.device_name = options.device;
    for (Answer& answer : find_answers(database, identity, question)) {
      answers.push_back(std::move(answer));
    }
  }
  return answers;
}

/// The value of one parameter, for scripts.
std::string field_of(const std::vector<Answer>& answers, const std::string& name) {
  if (answers.size() != 1) {
    throw UserError(
        ExitCode::usage,
        fmt::format("--field needs one answer, there are {}: give the sizes and --device",
                    answers.size()));
  }
  const Config& config = answers.front().row.best.measurement.config;
  if (const auto value = config.find(name)) return std::to_string(*value);
  std::vector<std::string> known;
  for (const auto& [parameter, value] : config.entries()) known.push_back(parameter);
  throw UserError(ExitCode::usage,
                  "--field " + name + ": no such parameter" + did_you_mean(name, known));
}

std::string text_of(const KernelIdentity& identity, const std::vector<Answer>& answers,
                    const QueryOptions& options) {
  if (!options.field.empty()) return field_of(answers, options.field) + '\n';
  if (options.json) return best_json(identity.name, answers).dump(2) + '\n';
  if (options.csv) return best_csv(identity, answers);
  return best_text(identity.name, answers);
}

int query(const KernelSpec& spec, const QueryOptions& options) {
  const std::filesystem::path path =
      options.database.empty() ? default_database_path() : std::filesystem::path(options.database);
  const Database database(path, OpenMode::read_only);
  const KernelIdentity identity = identity_of(spec);
  const std::vector<Answer> answers = ask(spec, database, identity, options);
  if (answers.empty()) {
    throw UserError(ExitCode::nothing_stored, nothing_line(spec, database, identity, options));
  }
  print_out(text_of(identity, answers, options));
  return 0;
}

}  // namespace

void add_query_command(CLI::App& app, CommandContext& context, const std::string& kernel) {
  CLI::App* command = app.add_subcommand(
      "query", "Look up the best stored configuration, of the nearest size if need be");
  command->add_option("kernel", "A kernel's name (see gtune list) or a spec, FILE.toml")
      ->required();
  auto options = std::make_shared<QueryOptions>();
  command->add_option("--device", options->device, "Only this device, by name");
  command->add_option("--arch", options->arch,
                      "Where the device is not known: take what one of this architecture, sm_90 "
                      "say, or the nearest found");
  command->add_option("--db", options->database,
                      "Database file [$GTUNE_DB, else the XDG data folder]");
  command->add_flag("--all", options->all, "All that is stored, whatever the sizes");
  auto* field = command->add_option("--field", options->field, "Print this parameter alone");
  auto* json = command->add_flag("--json", options->json, "Print as JSON")->excludes(field);
  command->add_flag("--csv", options->csv, "Print as CSV")->excludes(field)->excludes(json);
  if (kernel.empty()) return;
  auto spec = std::make_shared<KernelSpec>(find_kernel(kernel, context.folders));
  options->tuned_by = (kernel.ends_with(".toml") ? "gtune tune " : "gtune ") + kernel;
  options->sizes.add_to(*command, *spec);
  command->callback([&context, spec, options] {
    context.action = [spec, options] { return query(*spec, *options); };
  });
}

}  // namespace gtune
