#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// The spec that a command line asks for: a kernel's own, or the variant that an option names.
struct ChosenSpec {
  KernelSpec spec;
  std::vector<VariantOption> options;  // of the kernel's own spec
  std::string given;                   // " --math tf32x3"; empty for the kernel's own spec
};

/// Which of a spec's variants is meant decides which sizes become options, so it has to be known
/// before the command line is parsed. Throws UserError (usage) for a value that there is not.
[[nodiscard]] ChosenSpec choose_variant(KernelSpec spec, const std::vector<std::string>& words,
                                        const std::vector<std::filesystem::path>& kernel_folders);

/// Makes the options known to the command.
void add_variant_options(CLI::App& command, const std::vector<VariantOption>& options);

/// "fp32 or tf32x3".
[[nodiscard]] std::string values_text(const VariantOption& option);

}  // namespace gtune
