#pragma once

#include <string>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// How a kernel's text accesses a texture or a surface: tex2D<float>(name, x, y),
/// surf2Dwrite(value, name, x, y).
struct ImageUse {
  std::string texel;  // type, as the compiler spells it; empty: not found
  std::size_t dimensions = 1;
  bool is_linear_memory = false;
  bool is_read = false;
  bool is_written = false;
};

[[nodiscard]] ImageUse image_use(const Tokens& body, const std::string& name);

}  // namespace gtune
