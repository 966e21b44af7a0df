#pragma once

#include <filesystem>
#include <string>

#include "authoring/first_spec.hpp"
#include "authoring/spec_check.hpp"

namespace gtune {

/// A kernel to draft a spec for.
struct KernelQuestion {
  std::filesystem::path source;
  /// Its name, perhaps with its first template arguments, "scale<float>", which the spec keeps. May
  /// be empty if the source has only one kernel that is not a reference.
  std::string entry;
  std::vector<std::string> options = {};  // for the compiler
  std::string arch = "sm_90";
};

/// Collects what a first spec needs: types from the compiler, names from the source's text. Throws
/// UserError: `failed` if the kernel does not exist or does not compile, `usage` if the source has
/// several kernels and `entry` is empty.
[[nodiscard]] KernelFacts find_kernel_facts(const KernelQuestion& question,
                                            const CompileAll& compile_all);

/// The part of it that the source's text and its own headers show: all but the parameters' types
/// and sizes.
[[nodiscard]] KernelFacts facts_in_text(const KernelQuestion& question, const std::string& text);

}  // namespace gtune
