#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "jit/kernel_request.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A directive of a source that replaces what a build says of a macro, for code that follows.
struct MacroOverride {
  std::filesystem::path file;
  std::size_t line = 0;
  std::string directive;  // "#define TILE 16"
  std::string macro;

  /// "k.cu:3"
  [[nodiscard]] std::string place() const;
  /// What is wrong, and what to do.
  [[nodiscard]] std::string complaint() const;
};

/// The macros that a spec passes and the source, or a file that it includes, sets itself before any
/// code uses them: their values have no effect. Only what is surely compiled counts: neither a
/// definition under `#ifndef NAME`, nor one under a condition that the text alone does not decide,
/// nor one that repeats the only value that is passed. Headers of the toolkit are not read.
[[nodiscard]] std::vector<MacroOverride> macro_overrides(const KernelSpec& spec,
                                                         const KernelSource& source,
                                                         const std::string& arch);

/// Throws UserError (failed) if there are any: results would be untrue.
void require_no_override(const KernelSpec& spec, const KernelSource& source,
                         const std::string& arch);

}  // namespace gtune
