#pragma once

#include <filesystem>
#include <string>

#include "authoring/first_spec.hpp"
#include "authoring/spec_check.hpp"

namespace gtune {

/// A kernel that a spec is to be begun for.
struct KernelQuestion {
  std::filesystem::path source;
  std::string entry;  // its name; empty where the source has one only, beside a reference
  std::vector<std::string> options = {};  // of the compiler
  std::string arch = "sm_90";
};

/// Finds out what a spec of the kernel can be begun with: types from the compiler, names from the
/// source's text. Throws UserError (failed) where there is no such kernel, or it does not compile.
[[nodiscard]] KernelFacts find_kernel_facts(const KernelQuestion& question,
                                            const CompileAll& compile_all);

}  // namespace gtune
