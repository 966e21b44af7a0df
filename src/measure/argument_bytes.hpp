#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "model/plan.hpp"

namespace gtune {

/// A number's bytes in device memory: little-endian, floats rounded to nearest, ties to even.
[[nodiscard]] std::vector<std::byte> number_bytes(ElementType type, std::int64_t integer,
                                                  double real);

/// A struct's bytes. `address_of` maps a buffer's name to its address.
[[nodiscard]] std::vector<std::byte> struct_bytes(
    const StructPlan& plan, const std::function<const std::byte*(const std::string&)>& address_of);

}  // namespace gtune
