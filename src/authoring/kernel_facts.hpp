#pragma once

#include <filesystem>
#include <string>

#include "authoring/first_spec.hpp"
#include "authoring/spec_check.hpp"

namespace gtune {

/// Finds out what a spec of a kernel can be begun with: types from the compiler, names from the
/// source's text. `entry`: the kernel's name; empty where the source has one only, beside a
/// reference. Throws UserError (failed) where there is no such kernel, or it does not compile.
[[nodiscard]] KernelFacts find_kernel_facts(const std::filesystem::path& source,
                                            const std::string& entry, const std::string& arch,
                                            const CompileAll& compile_all);

}  // namespace gtune
