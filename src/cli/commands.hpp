#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/asked_kernel.hpp"

namespace gtune {

/// What the subcommands share.
struct CommandContext {
  std::vector<std::filesystem::path> folders;  // where specs, kernels and recordings are
  std::string command_line;
  std::function<int()> action;              // of the chosen subcommand; returns the exit code
  std::vector<std::shared_ptr<void>> kept;  // what the parser writes to

  /// Makes what a subcommand's options are written to. It lives at least as long as the context.
  template <typename Options, typename... Arguments>
  std::shared_ptr<Options> keep(Arguments&&... arguments) {
    auto options = std::make_shared<Options>(std::forward<Arguments>(arguments)...);
    kept.push_back(options);
    return options;
  }
};

// Each adds one subcommand, whose choice sets `context.action`. A command about a kernel is
// declared twice: without the kernel and without an action, to find out which kernel is meant; then
// with it, which adds its sizes and variants.
void add_tune_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel);
void add_space_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel);
void add_query_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel);
void add_export_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel);
void add_explain_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel);
void add_report_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel);
void add_run_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel);
void add_baseline_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel);
/// Tuning under the kernel's own name: gtune sgemm.
void add_named_tune_command(CLI::App& app, CommandContext& context, const AskedKernel& kernel);

void add_check_command(CLI::App& app, CommandContext& context);
void add_db_command(CLI::App& app, CommandContext& context);
void add_list_command(CLI::App& app, CommandContext& context);
void add_init_command(CLI::App& app, CommandContext& context);
void add_metrics_command(CLI::App& app, CommandContext& context);
void add_bench_search_command(CLI::App& app, CommandContext& context);
void add_devices_command(CLI::App& app, CommandContext& context);
void add_doctor_command(CLI::App& app, CommandContext& context);
void add_completion_command(CLI::App& app, CommandContext& context);
void add_complete_command(CLI::App& app, CommandContext& context);
void add_manual_command(CLI::App& app, CommandContext& context);
void add_worker_command(CLI::App& app, CommandContext& context);
void add_compiler_command(CLI::App& app, CommandContext& context);
void add_host_reference_command(CLI::App& app, CommandContext& context);

}  // namespace gtune
