#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// Maps the closing brace of each function's body to the opening one. Excludes blocks of if, for,
/// while and switch.
using FunctionBodies = std::map<std::size_t, std::size_t>;

[[nodiscard]] FunctionBodies function_bodies(const Tokens& source);

/// What the function templates around the position `at` are called or instantiated with where the
/// source writes their arguments: "T" -> `double` for `launch<double>(x)`. The first such place
/// counts. Parameters without such a place are left out.
[[nodiscard]] TemplateArguments launcher_arguments(const Tokens& source,
                                                   const FunctionBodies& bodies, std::size_t at);

/// Reads `<256, float>` at `at` and moves `at` past it; empty if that is a comparison.
[[nodiscard]] std::vector<Tokens> template_arguments_at(const Tokens& source, std::size_t& at);

}  // namespace gtune
