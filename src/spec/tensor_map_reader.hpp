#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// An argument of type "tensor_map"; its buffer's type is not yet known. `what`: its name in
/// errors.
[[nodiscard]] TensorMapSpec read_tensor_map(const SpecContext& context, const TomlValue& table,
                                            const std::string& what);

}  // namespace gtune
