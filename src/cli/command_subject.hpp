#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/kernel_finder.hpp"

namespace gtune {

/// What a command line is about.
struct CommandSubject {
  std::string command;  // "query", "db"; empty if none is given, or if it is a kernel's name
  std::optional<std::string> kernel;

  [[nodiscard]] bool tunes_by_name() const { return command.empty() && kernel; }
};

/// The first two readings of a command line: its command, then the kernel that follows it. Throws
/// UserError (usage) for an unknown command, and for a kernel's own option before its name.
[[nodiscard]] CommandSubject read_subject(const std::vector<std::string>& words,
                                          KernelFinder& kernels);

}  // namespace gtune
