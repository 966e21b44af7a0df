#pragma once

#include <string>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// An argument of type "tensor_map"; its buffer's type is not yet known. `what`: its name in
/// errors.
[[nodiscard]] TensorMapSpec read_tensor_map(const SpecContext& context, const TomlValue& table,
                                            const std::string& what);

/// Checks that the buffer is among the arguments, and takes its type. `place`: of 'of'.
void find_buffer_of(const SpecContext& context, const Place& place, TensorMapSpec& map,
                    const std::vector<ArgumentSpec>& arguments);

}  // namespace gtune
