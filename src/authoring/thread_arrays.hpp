#pragma once

#include <array>
#include <vector>

#include "authoring/local_names.hpp"
#include "authoring/source_tokens.hpp"

namespace gtune {

/// A shared array of which threads write an element each: `tile[threadIdx.y][threadIdx.x] = ...`.
struct ThreadArray {
  std::array<Tokens, 3> extents;  // along the threads' x, y and z; empty: no dimension
  bool is_of_all = false;         // every thread executes a write
};

/// Those that a kernel's body declares with their extents, in its order.
[[nodiscard]] std::vector<ThreadArray> arrays_of_threads(const Tokens& body,
                                                         const LocalNames& locals);

}  // namespace gtune
