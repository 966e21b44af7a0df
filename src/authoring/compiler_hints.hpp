#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/compile_request.hpp"

namespace gtune {

/// Explains a compiler's errors in one line and says what to do; empty if they need no explanation.
[[nodiscard]] std::string compiler_hint(std::string_view log);

/// The same for errors where the source declares a name that is one of the `macros` that options
/// define for parameters.
[[nodiscard]] std::string macro_hint(const std::string& log,
                                     const std::vector<std::string>& macros);

/// Whether a hint says that only nvcc compiles the source.
[[nodiscard]] bool is_about_host_code(std::string_view hint);

/// Options with which a source compiles that fails without them: flags that the compiler's errors
/// ask for, and macros for functions of older CUDA versions and for limits and constants of the
/// standard library.
[[nodiscard]] std::vector<std::string> missing_options(std::string_view log);

/// Whether a compile failed because of an entry, perhaps among other causes.
[[nodiscard]] bool is_about_entry(const CompileResult& result);

/// The resource that a kernel exceeds, in ptxas's words: "uses too much shared data (...)"; empty
/// if the compile failed for another reason.
[[nodiscard]] std::string exceeded_resource(std::string_view log);

}  // namespace gtune
