#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "jit/kernel_request.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A directive of a source that overrides a macro of the build for the code after it.
struct MacroOverride {
  std::filesystem::path file;
  std::size_t line = 0;
  std::string directive;  // "#define TILE 16"
  std::string macro;

  /// "k.cu:3"
  [[nodiscard]] std::string place() const;
  /// The mistake and what to do about it.
  [[nodiscard]] std::string complaint() const;
};

/// Finds where the source, or a file that it includes, redefines a macro that the spec passes
/// before any code uses it: the spec's values then have no effect. Only directives that are
/// certainly compiled count. Excluded are those under `#ifndef NAME` or a condition that the text
/// does not decide, and definitions that repeat the only value passed. The toolkit's headers are
/// not read.
[[nodiscard]] std::vector<MacroOverride> macro_overrides(const KernelSpec& spec,
                                                         const KernelSource& source,
                                                         const std::string& arch);

/// Throws UserError (failed) if there are any, since results would be wrong.
void require_no_override(const KernelSpec& spec, const KernelSource& source,
                         const std::string& arch);

}  // namespace gtune
