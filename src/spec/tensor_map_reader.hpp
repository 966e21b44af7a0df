#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads an argument of type "tensor_map". `what` names it in errors. The type of its buffer is
/// set later.
[[nodiscard]] TensorMapSpec read_tensor_map(const SpecContext& context, const TomlValue& table,
                                            const std::string& what);

}  // namespace gtune
