#include "cli/command_table.hpp"

#include <algorithm>
#include <iterator>

#include "cli/command_subject.hpp"
#include "cli/commands.hpp"
#include "cli/parsers.hpp"
#include "spec/reserved_names.hpp"

namespace gtune {
namespace {

struct KernelCommand {
  const char* name = nullptr;
  void (*add)(CLI::App& app, CommandContext& context, const AskedKernel* kernel) = nullptr;
  const char* about_kernel = name;  // its subcommand that names a kernel
};

constexpr KernelCommand kernel_commands[] = {
    {"tune", add_tune_command},       {"space", add_space_command},
    {"query", add_query_command},     {"export", add_export_command},
    {"explain", add_explain_command}, {"report", add_report_command},
    {"run", add_run_command},         {"baseline", add_baseline_command, "baseline save"},
};

struct OtherCommand {
  const char* name = nullptr;
  void (*add)(CLI::App& app, CommandContext& context) = nullptr;
  bool for_people = true;  // false: gtune, a shell or the build starts it
};

constexpr OtherCommand other_commands[] = {
    {"init", add_init_command},
    {"check", add_check_command},
    {"db", add_db_command},
    {"list", add_list_command},
    {"devices", add_devices_command},
    {"doctor", add_doctor_command},
    {"metrics", add_metrics_command},
    {"bench-search", add_bench_search_command},
    {"completion", add_completion_command},
    {"worker", add_worker_command, false},
    {"compiler", add_compiler_command, false},
    {"host-reference", add_host_reference_command, false},
    {"complete", add_complete_command, false},
    {"manual", add_manual_command, false},
};

template <typename Table>
constexpr bool all_are_reserved(const Table& commands) {
  return std::all_of(std::begin(commands), std::end(commands),
                     [](const auto& command) { return is_reserved_command(command.name); });
}
static_assert(all_are_reserved(kernel_commands) && all_are_reserved(other_commands),
              "spec/reserved_names.hpp lacks a command: a kernel could have its name");

void declare(CLI::App& app, CommandContext& context, const OtherCommand& command) {
  command.add(app, context);
  // CLI11 leaves commands of an empty group out of --help.
  if (!command.for_people) app.get_subcommand(command.name)->group("");
}

/// For gtune --help.
void list_kernels_as_commands(CLI::App& app, KernelFinder& kernels) {
  for (const CatalogEntry& entry : kernels.all()) {
    const bool can_be_one =
        !is_reserved_command(entry.name) && CLI::detail::valid_name_string(entry.name);
    if (!can_be_one) continue;  // gtune list says so
    app.add_subcommand(entry.name, entry.error ? "(its spec has a mistake)" : entry.help)
        ->group("Kernels to tune");
  }
}

}  // namespace

bool is_kernel_command(const std::string& full_name) {
  return std::any_of(
      std::begin(kernel_commands), std::end(kernel_commands),
      [&](const KernelCommand& command) { return command.about_kernel == full_name; });
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const KernelCommand& command : kernel_commands) names.emplace_back(command.name);
  for (const OtherCommand& command : other_commands) names.emplace_back(command.name);
  return names;
}

std::vector<std::string> commands_for_people() {
  std::vector<std::string> names;
  for (const KernelCommand& command : kernel_commands) names.emplace_back(command.name);
  for (const OtherCommand& command : other_commands) {
    if (command.for_people) names.emplace_back(command.name);
  }
  return names;
}

void describe_program(CLI::App& app) {
  app.description(
      "Tunes CUDA kernels: compiles, checks and times the configurations of a kernel, stores every "
      "result in a database, and reports the best.\nExit codes: 0 done, 1 failed, 2 usage, 3 no "
      "usable device, 4 no valid configuration found, 5 no stored result, 130 interrupted, "
      "141 the reader of the output closed it.");
  app.name("gtune");
  app.set_help_flag("-h,--help", k_help_of_help);
  app.set_version_flag("--version", "", "Print the versions of gtune and of the libraries it uses");
  app.require_subcommand(1);
}

void declare_command(CLI::App& app, CommandContext& context, const std::string& name,
                     const AskedKernel* kernel) {
  for (const KernelCommand& command : kernel_commands) {
    if (command.name == name) command.add(app, context, kernel);
  }
  for (const OtherCommand& command : other_commands) {
    if (command.name == name) declare(app, context, command);
  }
}

void add_program_examples(CLI::App& app) {
  add_examples(app,
               {"# Tune a matrix product on GPU 0", "gtune sgemm --M 4096 --device 0",
                "# The best stored configuration", "gtune query sgemm --M 4096",
                "# Count configurations; needs no GPU", "gtune space sgemm --M 4096 --arch sm_90",
                "# A header that chooses among the best configurations",
                "gtune export sgemm -o gtune_sgemm.hpp"});
}

void declare_for(CLI::App& app, CommandContext& context, const CommandSubject& subject,
                 const AskedKernel* kernel, KernelFinder& kernels) {
  if (subject.tunes_by_name()) {
    add_named_tune_command(app, context, *kernel);
  } else if (!subject.command.empty()) {
    declare_command(app, context, subject.command, kernel);
  } else {
    list_kernels_as_commands(app, kernels);
    declare_commands(app, context);
  }
  add_program_examples(app);
}

void declare_commands(CLI::App& app, CommandContext& context) {
  for (const KernelCommand& command : kernel_commands) command.add(app, context, nullptr);
  for (const OtherCommand& command : other_commands) declare(app, context, command);
}

}  // namespace gtune
