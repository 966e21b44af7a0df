#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/find_kernel.hpp"
#include "cli/kernel_options.hpp"
#include "cli/output.hpp"
#include "model/error.hpp"
#include "report/best_report.hpp"
#include "store/database.hpp"
#include "store/default_path.hpp"
#include "tune/identity.hpp"

namespace gtune {
namespace {

struct QueryOptions {
  SizeOptions sizes;
  std::string device;
  std::string database;
  bool json = false;
};

std::string nothing_line(const KernelSpec& spec, std::int64_t of_other_sources,
                         const std::filesystem::path& path) {
  if (of_other_sources == 0) {
    return fmt::format("nothing stored for this in {}: run gtune {} with these sizes",
                       path.string(), spec.name);
  }
  return fmt::format(
      "what is stored for this in {} was measured with another version of {} or its spec: run "
      "gtune {} with these sizes again",
      path.string(), spec.source.filename().string(), spec.name);
}

/// Without sizes: all that are stored.
std::vector<BestFilter> filters(const KernelSpec& spec, const QueryOptions& options) {
  BestFilter any;
  if (!options.device.empty()) any.device_name = options.device;
  if (!options.sizes.any()) return {any};
  std::vector<BestFilter> each;
  for (const Problem& problem : options.sizes.problems(spec)) {
    each.push_back(any);
    each.back().problem = problem;
  }
  return each;
}

int query(const KernelSpec& spec, const QueryOptions& options) {
  const std::filesystem::path path =
      options.database.empty() ? default_database_path() : std::filesystem::path(options.database);
  const Database database(path, OpenMode::read_only);
  const KernelIdentity identity = identity_of(spec);
  std::vector<BestRow> rows;
  std::int64_t of_other_sources = 0;
  for (const BestFilter& filter : filters(spec, options)) {
    for (BestRow& row : database.query_best(identity, filter)) rows.push_back(std::move(row));
    of_other_sources += database.count_other_sources(identity, filter);
  }
  if (rows.empty()) {
    throw UserError(ExitCode::nothing_stored, nothing_line(spec, of_other_sources, path));
  }
  print_out(options.json ? best_json(spec.name, rows).dump(2) + "\n"
                         : best_text(spec.name, rows));
  return 0;
}

}  // namespace

void add_query_command(CLI::App& app, CommandContext& context, const std::string& kernel) {
  CLI::App* command = app.add_subcommand("query", "Look up the best stored configuration");
  command->add_option("kernel", "A kernel's name (see gtune list) or a spec, FILE.toml")
      ->required();
  auto options = std::make_shared<QueryOptions>();
  command->add_option("--device", options->device, "Only this device, by name");
  command->add_option("--db", options->database,
                      "Database file [$GTUNE_DB, else the XDG data folder]");
  command->add_flag("--json", options->json, "Print as JSON");
  if (kernel.empty()) return;
  auto spec = std::make_shared<KernelSpec>(find_kernel(kernel, context.folders));
  options->sizes.add_to(*command, *spec);
  command->callback([&context, spec, options] {
    context.action = [spec, options] { return query(*spec, *options); };
  });
}

}  // namespace gtune
