#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/kernel_finder.hpp"

namespace gtune {

struct AskedKernel;
struct CommandContext;
struct CommandSubject;

/// `full_name`: "query", "baseline save".
[[nodiscard]] bool is_kernel_command(const std::string& full_name);
/// All commands; commands_for_people() leaves out those that gtune, a shell or the build starts.
[[nodiscard]] std::vector<std::string> command_names();
[[nodiscard]] std::vector<std::string> commands_for_people();

/// Gives the program's parser its description, --help and --version.
void describe_program(CLI::App& app);
/// Call it after the commands are declared, which would inherit the examples.
void add_program_examples(CLI::App& app);
/// Declares every subcommand except the kernels' own, without the options that a kernel adds.
void declare_commands(CLI::App& app, CommandContext& context);
/// Declares one of them, with the options that `kernel` adds if it is not null.
void declare_command(CLI::App& app, CommandContext& context, const std::string& name,
                     const AskedKernel* kernel);
/// Declares the commands that a command line about `subject` can have: its own; if it has none, all
/// commands, and the kernels by name. `kernel`: the subject's; null if it has none.
void declare_for(CLI::App& app, CommandContext& context, const CommandSubject& subject,
                 const AskedKernel* kernel, KernelFinder& kernels);

}  // namespace gtune
