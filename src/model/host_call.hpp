#pragma once

namespace gtune {

// What the shared object of a host function has for the process that calls it.

/// void (void* const* values): calls the function with the values at these addresses.
inline constexpr const char* host_call_symbol = "gtune_host_call";
/// std::size_t: how many parameters it has.
inline constexpr const char* host_parameter_count_symbol = "gtune_host_parameter_count";
/// const std::size_t*: the bytes of each.
inline constexpr const char* host_parameter_bytes_symbol = "gtune_host_parameter_bytes";

}  // namespace gtune
