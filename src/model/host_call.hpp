#pragma once

#include <cstdint>

namespace gtune {

// Symbols that a host function's shared object exports to the process that calls the function.

/// void (void* const* values): calls the function with the values at these addresses.
inline constexpr const char* host_call_symbol = "gtune_host_call";
/// const HostParameter* const: the function's parameters in order, then one of 0 bytes. They are
/// gtune_host::Parameters<TYPE>::values, and TYPE is the function's pointer type.
inline constexpr const char* host_parameters_symbol = "gtune_host_parameters";

/// A parameter of a host function. The generated source declares the same struct.
struct HostParameter {
  std::uint64_t bytes;
  std::uint64_t alignment;
  std::uint64_t is_struct;
  std::uint64_t is_real;  // float or double
};

}  // namespace gtune
