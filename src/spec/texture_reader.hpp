#pragma once

#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads an argument of type "texture". `what` names it in errors. Whether `of` names a buffer is
/// checked later, when all arguments are known.
[[nodiscard]] TextureSpec read_texture(const SpecContext& context, const TomlValue& table,
                                       const std::string& what);

/// The same for type "surface".
[[nodiscard]] TextureSpec read_surface(const SpecContext& context, const TomlValue& table,
                                       const std::string& what);

/// Refuses what CUDA cannot make of elements of this type (CUDA runtime API, texture objects).
void require_texels(const SpecContext& context, const TomlValue& table, const TextureSpec& texture,
                    ElementType type);

}  // namespace gtune
