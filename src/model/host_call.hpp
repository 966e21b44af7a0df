#pragma once

namespace gtune {

// Symbols that a host function's shared object exports to the process that calls the function.

/// void (void* const* values): calls the function with the values at these addresses.
inline constexpr const char* host_call_symbol = "gtune_host_call";
/// std::size_t: the function's number of parameters.
inline constexpr const char* host_parameter_count_symbol = "gtune_host_parameter_count";
/// const std::size_t*: the size of each parameter in bytes.
inline constexpr const char* host_parameter_bytes_symbol = "gtune_host_parameter_bytes";

}  // namespace gtune
