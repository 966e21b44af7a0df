#pragma once

#include <string>
#include <string_view>

#include "jit/compile_request.hpp"

namespace gtune {

/// In one line, what a compiler's errors mean for who tunes a kernel, and what to do; empty where
/// they speak for themselves.
[[nodiscard]] std::string compiler_hint(std::string_view log);

/// Whether a compile failed of what the entries name, perhaps of something else as well.
[[nodiscard]] bool is_about_entry(const CompileResult& result);

/// What a kernel uses more of than the architecture has, in ptxas's words: "uses too much shared
/// data (...)"; empty where that is not why it does not compile.
[[nodiscard]] std::string exceeded_resource(std::string_view log);

}  // namespace gtune
