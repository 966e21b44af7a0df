#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gtune {

/// A parameter of a compiled kernel.
struct KernelParameter {
  std::int64_t bytes = 0;
  std::int64_t alignment = 1;  // bytes
  bool is_struct = false;      // passed as bytes: structs, arrays, half types
  bool is_real = false;        // float or double
};

/// The parameters of the entry `kernel_name` (mangled) as declared in PTX. Absent if the entry does
/// not exist or a declaration is not understood.
[[nodiscard]] std::optional<std::vector<KernelParameter>> parse_ptx_parameters(
    std::string_view ptx, std::string_view kernel_name);

/// The mangled names of the entries that PTX defines.
[[nodiscard]] std::vector<std::string> ptx_entries(std::string_view ptx);

}  // namespace gtune
