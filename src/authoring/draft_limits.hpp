#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "authoring/cpp_types.hpp"

// What the reader of specs accepts of the texts and values that a first spec takes from a source.
namespace gtune {

inline constexpr std::int64_t least_dimension = 1;  // of a block or a grid
inline constexpr std::int64_t least_bytes = 0;      // of shared memory

/// Whether it is an expression that a spec may have alone or as a part of a longer one. Its names
/// are taken for known.
[[nodiscard]] bool is_draft_expression(const std::string& text);

/// Whether it is such an expression, and is `least` or more for some values of its names.
[[nodiscard]] bool may_reach(const std::string& text, std::int64_t least);

/// Whether a size may have this default.
[[nodiscard]] bool is_draft_size(std::int64_t value);

/// Those that a parameter may have.
[[nodiscard]] std::vector<std::int64_t> allowed_values(std::vector<std::int64_t> values);
[[nodiscard]] std::vector<std::string> allowed_words(std::vector<std::string> words);

/// A name that a size or a parameter may have: `wanted`, or one like it.
[[nodiscard]] std::string allowed_name(const std::string& wanted);

/// Whether the constant in a source's launch is a value for a scalar of this type.
[[nodiscard]] bool is_scalar_value(const ElementOf& element, const std::string& constant);

/// Whether a texture or a surface may have these texels.
[[nodiscard]] bool is_texel(const ElementOf& element);

/// Text of a source for a comment of TOML, which has rules for other characters.
[[nodiscard]] std::string as_comment(std::string text);

}  // namespace gtune
