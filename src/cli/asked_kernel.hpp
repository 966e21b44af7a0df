#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The kernel that a command is about.
struct AskedKernel {
  std::shared_ptr<KernelSpec> spec;
  std::string tuned_by;  // the command that tunes it: "gtune sgemm", "gtune tune FILE.toml"
};

/// Finds it by name or file, in the variant that the words of the command line choose, and adds
/// the options that choose it.
[[nodiscard]] AskedKernel add_asked_kernel(CLI::App& command, const CommandContext& context,
                                           const std::string& kernel);

/// Adds the option that asks for what was measured with a warm L2 cache.
void add_no_flush_option(CLI::App& command, bool& no_flush);

}  // namespace gtune
