#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/kernel_spec.hpp"
#include "spec/spec_context.hpp"

// Compiler options in a spec. A spec may come from a stranger, so an option is allowed only if it
// can neither write a file, nor start threads, nor override what gtune chooses itself. docs/spec.md
// lists the allowed options.
namespace gtune {

/// Reads the array `options` of [kernel]. Each option becomes one word: "--maxrregcount", "64" is
/// returned as "--maxrregcount=64". Paths are relative to the spec's folder and returned as
/// absolute paths. `spec` must have been read up to the parameters and the source.
[[nodiscard]] std::vector<std::string> read_compiler_options(const SpecContext& context,
                                                             const TomlValue& list,
                                                             const KernelSpec& spec);

/// The option for one configuration: {NAME} is replaced by the parameter's value, except in paths.
/// Throws UserError (usage) if the result is not allowed.
[[nodiscard]] std::string expand_compiler_option(const KernelSpec& spec, const std::string& option,
                                                 const Config& config);

/// The macro that an option defines: "X" for "-DX=3"; absent if it defines none.
[[nodiscard]] std::optional<std::string> defined_macro(std::string_view option);

/// The source line that is equivalent to an option: "#define X 3" for "-DX=3", "#undef X",
/// `#include "FILE"`; absent for all other options.
[[nodiscard]] std::optional<std::string> source_line(std::string_view option);

/// Why a spec may not contain this option (a complete, single word); absent if it may.
[[nodiscard]] std::optional<std::string> why_refused(std::string_view option,
                                                     Compiler compiler = Compiler::nvrtc);

}  // namespace gtune
