#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/kernel_finder.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The kernel that a command line is about, in the variant that it chooses.
struct AskedKernel {
  std::string name;                        // as it was given: "sgemm", "FILE.toml"
  std::shared_ptr<const KernelSpec> spec;  // the variant's
  std::vector<VariantOption> variants;     // the options of the kernel's own spec
  std::string chosen;                      // " --math tf32x3"; "" for the kernel's own spec
  bool is_file = false;

  /// Whether a command about it has this option for a size or a variant.
  [[nodiscard]] bool has_option(std::string_view option) const;
  /// The command that tunes it: "gtune sgemm --math tf32x3", "gtune tune FILE.toml".
  [[nodiscard]] std::string tuned_by() const;
  /// As written after a command: "sgemm --math tf32x3"; a file without its folder.
  [[nodiscard]] std::string words_in_any_folder() const;
};

/// Finds a kernel by name or by file, and reads its own spec. Throws UserError (usage) if there is
/// no such kernel (the message lists the known ones) or if the spec has mistakes.
[[nodiscard]] AskedKernel find_asked_kernel(const std::string& name, KernelFinder& kernels);
/// Reads a spec's file, without looking up names of kernels. Throws UserError (usage).
[[nodiscard]] AskedKernel read_asked_kernel(const std::string& file, KernelFinder& kernels);

/// The variant of a kernel that these values of its options choose. Throws UserError (usage).
[[nodiscard]] AskedKernel choose_variant(const AskedKernel& own,
                                         const std::map<std::string, std::string>& values,
                                         KernelFinder& kernels);

/// Adds the options that choose a variant.
void add_variant_options(CLI::App& command, const std::vector<VariantOption>& options);

/// "fp32 or tf32x3".
[[nodiscard]] std::string values_text(const VariantOption& option);

}  // namespace gtune
