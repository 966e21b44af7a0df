#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jit/kernel_parameters.hpp"

namespace gtune {

/// The parameters of a host function, from the table that gtune compiles into its shared object.
struct HostParameters {
  std::string function_type;  // "void (*)(float const*, float*, int)"
  std::vector<KernelParameter> parameters;
};

/// Absent if the shared object has no such table, or is damaged.
[[nodiscard]] std::optional<HostParameters> host_parameters_in(
    std::span<const std::byte> shared_object);

}  // namespace gtune
