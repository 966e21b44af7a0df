#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jit/kernel_request.hpp"

// The types of a kernel's parameters, from the compiler.
namespace gtune {

/// A parameter's type without its outer const.
struct ParameterType {
  std::string name;              // "float", "CUtensorMap_st"; for a pointer, the type at its end
  int pointers = 0;              // 2 for a float**
  bool points_to_const = false;  // whether the type at its end is const
};

/// A compile that yields the parameter types: it adds a template kernel and instantiates it for the
/// type of `entry`, such as "scale<64,float>". The mangled name of the instance shows the types.
[[nodiscard]] KernelRequest signature_request(const KernelSource& source, const std::string& entry,
                                              const std::vector<std::string>& options,
                                              const std::string& arch);

/// Reads the types from the mangled name of that instance; absent for any other name.
[[nodiscard]] std::optional<std::vector<ParameterType>> signature_in(
    const std::string& kernel_name);

/// The parameter types in a kernel's own mangled name; absent for extern "C" kernels, whose names
/// have none.
[[nodiscard]] std::optional<std::vector<ParameterType>> parameter_types(
    const std::string& kernel_name);

/// The parameter types of a host function, from its shared object; absent if it does not tell.
[[nodiscard]] std::optional<std::vector<ParameterType>> host_parameter_types(
    std::span<const std::byte> shared_object);

}  // namespace gtune
