#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

std::string names(const auto& values) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : " ") + value.name;
  return text;
}

int list_kernels(const std::vector<std::filesystem::path>& folders) {
  const std::vector<CatalogEntry> entries = list_specs(folders);
  if (entries.empty()) {
    throw UserError(ExitCode::failed,
                    "no tuner_configs folder found beside the program or in $GTUNE_DATA");
  }
  bool all_good = true;
  for (const CatalogEntry& entry : entries) {
    if (entry.error) {
      spdlog::error("gtune: {}", *entry.error);
      all_good = false;
      continue;
    }
    const KernelSpec& spec = *entry.spec;
    print_out(fmt::format("{}: {}\n  sizes       {}\n  parameters  {}\n  spec        {}\n",
                          spec.name, spec.help, names(spec.sizes), names(spec.params),
                          entry.file.string()));
    for (const VariantOption& option : spec.variants) {
      print_out(fmt::format("  variants    --{} {}\n", option.name, values_text(option)));
    }
  }
  return static_cast<int>(all_good ? ExitCode::done : ExitCode::usage);
}

}  // namespace

void add_list_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("list", "Kernels that can be tuned");
  command->callback([&context] {
    context.action = [folders = context.folders] { return list_kernels(folders); };
  });
}

}  // namespace gtune
