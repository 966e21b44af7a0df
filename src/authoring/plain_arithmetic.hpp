#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authoring/source_outline.hpp"

namespace gtune {

using TypeBytes = std::map<std::string, std::size_t>;  // of a value, by the type's name

/// A kernel's body in which indices are easier to read: casts are left out, __mul24(a, b) is
/// (a) * (b), element 1 of an argument's member array is a name, `shape.d_1` for `shape.d[1]`, and
/// an argument of several dimensions has one index, `x[(r) * 64 + (c)]` for `x[r][c]`. A cast of a
/// pointer is a call, see bytes_of_view(). `types`: those of the source.
[[nodiscard]] Tokens plain_arithmetic(const Tokens& body,
                                      const std::vector<OutlinedArgument>& arguments,
                                      const TypeBytes& types = {});

/// The bytes of an element if the token stands for a cast of a pointer; 0 if they are unknown.
/// Absent for any other token.
[[nodiscard]] std::optional<std::size_t> bytes_of_view(std::string_view token);

}  // namespace gtune
