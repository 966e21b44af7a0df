#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/kernel_spec.hpp"
#include "spec/spec_context.hpp"

// Options that a spec gives to its compiler. A spec may come from a stranger, so only options are
// let through that can neither write a file, nor start threads, nor replace what gtune chooses
// itself. docs/spec.md lists them.
namespace gtune {

/// The array `options` of [kernel], each option as one word: "--maxrregcount", "64" becomes
/// "--maxrregcount=64". Folders and files are looked up from the spec's folder and come back as
/// absolute paths. `spec`: read up to the parameters and the source.
[[nodiscard]] std::vector<std::string> read_compiler_options(const SpecContext& context,
                                                             const TomlValue& list,
                                                             const KernelSpec& spec);

/// The option in one configuration: {NAME} replaced by the parameter's value, except in paths.
/// Throws UserError (usage) where the result is not allowed.
[[nodiscard]] std::string expand_compiler_option(const KernelSpec& spec, const std::string& option,
                                                 const Config& config);

/// The macro that an option defines: "X" of "-DX=3"; absent where it defines none.
[[nodiscard]] std::optional<std::string> defined_macro(std::string_view option);

/// What an option says of the source that could as well stand in its first line: "#define X 3" for
/// "-DX=3", "#undef X", `#include "FILE"`; absent for all others.
[[nodiscard]] std::optional<std::string> source_line(std::string_view option);

/// Why a spec may not contain this option, one word and complete; absent where it may.
[[nodiscard]] std::optional<std::string> why_refused(std::string_view option,
                                                     Compiler compiler = Compiler::nvrtc);

}  // namespace gtune
