#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/kernel_request.hpp"

// The types of a kernel's parameters, as the compiler knows them.
namespace gtune {

/// A parameter's type without const and references at its top.
struct ParameterType {
  std::string name;              // "float", "int", "CUtensorMap_st"; of pointers what they lead to
  int pointers = 0;              // two of a float**
  bool points_to_const = false;  // in the end
};

/// The compile whose kernel's name says them: of the source and a template that is instantiated for
/// the type of `entry`, such as "scale" or "scale<64,float>".
[[nodiscard]] KernelRequest signature_request(const KernelSource& source, const std::string& entry,
                                              const std::vector<std::string>& options,
                                              const std::string& arch);

/// Reads them from the name (mangled) of what that request compiles; nothing where it is none.
[[nodiscard]] std::optional<std::vector<ParameterType>> signature_in(
    const std::string& kernel_name);

}  // namespace gtune
