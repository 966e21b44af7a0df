#include <fmt/format.h>

#include <memory>

#include "cli/asked_kernel.hpp"
#include "cli/asked_speeds.hpp"
#include "cli/commands.hpp"
#include "cli/kernel_options.hpp"
#include "cli/output.hpp"
#include "model/error.hpp"
#include "report/effects_report.hpp"
#include "store/database.hpp"
#include "store/default_path.hpp"
#include "tune/identity.hpp"

namespace gtune {
namespace {

struct ExplainOptions {
  std::string tuned_by;  // "gtune sgemm", "gtune tune FILE.toml"
  SizeOptions sizes;
  std::string device;
  std::string database;
  bool effects = false;
  bool json = false;
};

int explain(const KernelSpec& spec, const ExplainOptions& options) {
  const std::filesystem::path path =
      options.database.empty() ? default_database_path() : std::filesystem::path(options.database);
  const Database database(path, OpenMode::read_only);
  const KernelIdentity identity = identity_of(spec);
  const auto problems =
      find_effects(asked_speeds(database, identity, spec, options.sizes, options.device));
  if (problems.empty()) {
    throw UserError(ExitCode::nothing_stored,
                    fmt::format("nothing stored of {} in {} for what was asked: run {}", spec.name,
                                path.string(), options.tuned_by));
  }
  print_out(options.json ? effects_json(spec.name, problems).dump(2) + '\n'
                         : effects_text(spec.name, problems));
  return 0;
}

}  // namespace

void add_explain_command(CLI::App& app, CommandContext& context, const std::string& kernel) {
  CLI::App* command = app.add_subcommand(
      "explain", "Say from stored measurements what matters to a kernel's speed");
  command->add_option("kernel", "A kernel's name (see gtune list) or a spec, FILE.toml")
      ->required();
  auto options = std::make_shared<ExplainOptions>();
  command
      ->add_flag("--effects", options->effects,
                 "What each parameter contributes: the best time with each of its values")
      ->required();
  command->add_option("--device", options->device, "Only this device, by name");
  command->add_option("--db", options->database,
                      "Database file [$GTUNE_DB, else the XDG data folder]");
  command->add_flag("--json", options->json, "Print as JSON");
  if (kernel.empty()) return;
  const AskedKernel asked = add_asked_kernel(*command, context, kernel);
  options->tuned_by = asked.tuned_by;
  options->sizes.add_to(*command, *asked.spec);
  command->callback([&context, spec = asked.spec, options] {
    context.action = [spec, options] { return explain(*spec, *options); };
  });
}

}  // namespace gtune
