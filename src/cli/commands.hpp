#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "spec/spec_catalog.hpp"

namespace gtune {

/// What the subcommands share.
struct CommandContext {
  std::vector<std::filesystem::path> folders;  // where specs, kernels and recordings are
  std::string command_line;
  std::vector<std::string> words;   // of it, without the program
  std::vector<CatalogEntry> specs;  // at least those that are named by a word
  std::function<int()> action;      // of the chosen subcommand; returns the exit code
};

/// Each adds one subcommand (or one per kernel) whose choice sets `context.action`.
void add_kernel_commands(CLI::App& app, CommandContext& context);
/// `file`: the spec named on the command line, whose sizes become options; may be empty.
void add_tune_command(CLI::App& app, CommandContext& context, const std::filesystem::path& file);
void add_space_command(CLI::App& app, CommandContext& context, const std::string& kernel);
void add_query_command(CLI::App& app, CommandContext& context, const std::string& kernel);
void add_export_command(CLI::App& app, CommandContext& context, const std::string& kernel);
void add_explain_command(CLI::App& app, CommandContext& context, const std::string& kernel);
void add_run_command(CLI::App& app, CommandContext& context, const std::string& kernel);
void add_db_command(CLI::App& app, CommandContext& context);
void add_list_command(CLI::App& app, CommandContext& context);
void add_metrics_command(CLI::App& app, CommandContext& context);
void add_bench_search_command(CLI::App& app, CommandContext& context);
void add_devices_command(CLI::App& app, CommandContext& context);
void add_process_commands(CLI::App& app, CommandContext& context);

}  // namespace gtune
