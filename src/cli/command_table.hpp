#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/kernel_finder.hpp"

namespace gtune {

struct AskedKernel;
struct CommandContext;
struct CommandSubject;

[[nodiscard]] bool is_kernel_command(const std::string& name);
/// Every command, or only those that are not started by gtune itself.
[[nodiscard]] std::vector<std::string> command_names();
[[nodiscard]] std::vector<std::string> commands_for_people();

/// Gives the program's parser what --help says of the program as a whole.
void describe_program(CLI::App& app);
/// After its commands are declared, which would take them over.
void add_program_examples(CLI::App& app);
/// Declares every subcommand but the kernels' own, without the options that a kernel adds.
void declare_commands(CLI::App& app, CommandContext& context);
/// Declares one of them, with the options that `kernel` adds where it is not null.
void declare_command(CLI::App& app, CommandContext& context, const std::string& name,
                     const AskedKernel* kernel);
/// Declares what a command line about `subject` can have: its command, or all of them, and the
/// kernels by name, where it has none. `kernel` is the subject's, null where it has none.
void declare_for(CLI::App& app, CommandContext& context, const CommandSubject& subject,
                 const AskedKernel* kernel, KernelFinder& kernels);

}  // namespace gtune
