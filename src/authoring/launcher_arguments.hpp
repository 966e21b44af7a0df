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

/// What the function templates around the position `at` are called or instantiated with: "T" ->
/// `double` for `launch<double>(x)`. The first place that writes arguments counts, else the first
/// whose variables show some. Parameters without such a place are left out.
[[nodiscard]] TemplateArguments launcher_arguments(const Tokens& source,
                                                   const FunctionBodies& bodies, std::size_t at);

/// A call, or a launch: what it passes, and where.
struct PassedVariables {
  std::vector<Tokens> passed;
  std::size_t at = 0;
};

/// The built-in types of template parameters that follow from the variables that a call passes:
/// "T" -> `double` for a variable `double* x` and a parameter `const T* from`. `declared`: the
/// function's parameters, with or without their names.
[[nodiscard]] TemplateArguments deduced_arguments(const Tokens& source,
                                                  const FunctionBodies& bodies,
                                                  const PassedVariables& call,
                                                  const std::vector<Tokens>& declared,
                                                  const std::vector<std::string>& parameters);

/// Reads `<256, float>` at `at` and moves `at` past it; empty if that is a comparison.
[[nodiscard]] std::vector<Tokens> template_arguments_at(const Tokens& source, std::size_t& at);

}  // namespace gtune
