#pragma once

#include <cstddef>
#include <vector>

#include "model/plan.hpp"

namespace gtune {

/// Offsets of a struct's members and its size, in bytes.
struct StructLayout {
  std::vector<std::size_t> offsets;
  std::size_t bytes = 0;
};

inline constexpr std::size_t address_bytes = 8;

[[nodiscard]] std::size_t size_of(const StructMember& member);

/// The layout of a standard-layout struct on CUDA's platforms (Itanium C++ ABI): each member at a
/// multiple of its alignment, the size a multiple of the largest alignment.
[[nodiscard]] StructLayout layout_of(const std::vector<StructMember>& members);

}  // namespace gtune
