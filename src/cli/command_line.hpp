#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/kernel_finder.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// What a command line asks for.
struct ParsedCommand {
  std::string command;  // "query", "db merge", "tune" also for gtune sgemm; "" for gtune --help
  std::string kernel;   // as it was given, "sgemm" or "FILE.toml"; "" for a command about none
  std::shared_ptr<const KernelSpec> spec;  // of that kernel, in the variant that was chosen
  std::function<int()> action;             // runs the command; returns the exit code
};

/// Parses a command line, without the program's name, and has no effects. It is read three times:
/// for the command, for the kernel that it is about, and with that kernel's own options. `kernels`
/// are looked up by name, and only if the command line has one. Throws UserError, nothing else. A
/// kernel's own options before its name are an error, since their values could be taken for a
/// kernel.
[[nodiscard]] ParsedCommand parse_command_line(const std::vector<std::string>& words,
                                               KernelFinder& kernels);

}  // namespace gtune
