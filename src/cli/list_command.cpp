#include <spdlog/spdlog.h>

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/kernel_list_report.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

int list_kernels(const std::vector<std::filesystem::path>& folders, bool json) {
  const std::vector<CatalogEntry> entries = list_specs(folders);
  if (entries.empty()) {
    throw UserError(ExitCode::failed,
                    "no tuner_configs folder found beside the program or in $GTUNE_DATA");
  }
  bool all_good = true;
  for (const CatalogEntry& entry : entries) {
    if (!entry.error) continue;
    spdlog::error("gtune: {}", *entry.error);
    all_good = false;
  }
  print_out(render(kernel_list_report(entries), json ? Format::json : Format::text));
  return static_cast<int>(all_good ? ExitCode::done : ExitCode::usage);
}

}  // namespace

void add_list_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("list", "List the kernels, their sizes and parameters");
  auto json = context.keep<bool>(false);
  add_json_flag(*command, *json);
  add_examples(*command, {"gtune list"});
  command->callback([&context, json] {
    context.action = [folders = context.folders, json] { return list_kernels(folders, *json); };
  });
}

}  // namespace gtune
