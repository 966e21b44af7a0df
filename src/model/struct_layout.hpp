#pragma once

#include <cstddef>
#include <vector>

#include "model/plan.hpp"

namespace gtune {

/// Where the members of a struct lie, in bytes.
struct StructLayout {
  std::vector<std::size_t> offsets;
  std::size_t bytes = 0;
};

inline constexpr std::size_t address_bytes = 8;

[[nodiscard]] std::size_t size_of(const StructMember& member);

/// As C++ lays out a standard-layout struct on the platforms that CUDA runs on (Itanium C++ ABI):
/// each member at a multiple of its alignment, the whole a multiple of the largest.
[[nodiscard]] StructLayout layout_of(const std::vector<StructMember>& members);

}  // namespace gtune
