#pragma once

#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// An argument of type "texture". `what` names it in errors. Whether its buffer
/// is one is not looked at: arguments after it are not known yet.
[[nodiscard]] TextureSpec read_texture(const SpecContext& context, const TomlValue& table,
                                       const std::string& what);

/// Likewise, of type "surface".
[[nodiscard]] TextureSpec read_surface(const SpecContext& context, const TomlValue& table,
                                       const std::string& what);

}  // namespace gtune
