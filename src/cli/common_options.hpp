#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

// Options that several subcommands have.
namespace gtune {

struct AskedKernel;

// Names of positional arguments of commands about a kernel. CLI11 2.4 refuses an option of the same
// name, so these have a hyphen, which no size has.
inline constexpr const char* k_kernel_argument = "kernel-or-spec";
/// One that may stand before the kernel.
inline constexpr const char* k_argument_before_kernel = "file-of-times";

/// The positional argument that names the kernel.
void add_kernel_argument(CLI::App& command);
/// --db, the database that is read or written.
void add_database_option(CLI::App& command, std::string& file);
/// --device, by the name under which results are stored.
void add_device_name_option(CLI::App& command, std::string& name);
/// --param, which narrows the space.
void add_param_option(CLI::App& command, std::vector<std::string>& params);
/// --seed, a number from 0 to 2^64 - 1.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& help);
/// -o, --output: a file in place of standard output. `kernel`, whose options the command may have:
/// if one is --o, which CLI11 takes to be the same as -o, only --output. Null: none.
CLI::Option* add_output_option(CLI::App& command, std::string& file,
                               const AskedKernel* kernel = nullptr);
/// --arch, an architecture that stands in for a device; `help`: what for.
void add_arch_option(CLI::App& command, std::string& arch, const std::string& help);
CLI::Option* add_json_flag(CLI::App& command, bool& json);

/// "sm_80, sm_86, ...": what --arch takes.
[[nodiscard]] std::string known_architectures_text();

}  // namespace gtune
