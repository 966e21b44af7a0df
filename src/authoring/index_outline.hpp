#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "authoring/plain_arithmetic.hpp"
#include "authoring/source_outline.hpp"

namespace gtune {

/// What a kernel's text shows about its launch along x, y or z. The texts are expressions of the
/// source's names, of blockDim and gridDim, and of extent, the number of elements along an axis. A
/// text is empty if the kernel does not show it.
struct AxisOutline {
  bool has_threads = false;         // the kernel names threadIdx
  bool has_blocks = false;          // the kernel names blockIdx
  bool has_block_size = false;      // the kernel names blockDim
  bool has_row_blocks = false;      // blockIdx alone is an index
  bool has_rows = false;            // blockIdx times a size is in an index
  std::string threads;              // threads per block
  std::string tile;                 // elements per block
  bool is_tile_of_pointer = false;  // no index of threads shows it
  bool is_split = false;            // its threads are numbered by digits, such as threadIdx.x / 32
  bool is_warp = false;             // its threads are the lanes of a warp
  std::string sharers = {};  // neighbouring threads that share an element: tile counts threads
  std::string bound;         // elements in total
  bool bound_counts_blocks = false;  // each of these has a block of its own
  std::string low_digit = {};        // n in blockIdx % n
};

struct IndexOutline {
  std::array<AxisOutline, 3> axes;
  std::map<std::string, std::string> elements;  // array -> its least number of elements
  /// The same by the understood indices alone, of arrays that also have others.
  std::map<std::string, std::string> least_elements;
  /// The largest number in an index that is not understood: 3 in `3 * n * d + i`.
  std::map<std::string, std::int64_t> multiples;
  /// argument -> the least that it may be as a pitch: n for `row * pitch + col` if col < n
  std::map<std::string, std::string> spans;
};

using ElementBytes = std::map<std::string, std::size_t>;  // of one element, by array

/// Reads how a kernel's body computes and limits its indices. `arrays`: the arrays to count the
/// elements of; "params.x" for a member of an argument. `bytes`: without them, casts of a pointer
/// are not understood. `called`: the functions that the kernel calls. `types`: those of the source.
[[nodiscard]] IndexOutline outline_indices(const OutlinedKernel& kernel,
                                           const std::vector<std::string>& arrays = {},
                                           const ElementBytes& bytes = {},
                                           const Tokens& called = {}, const TypeBytes& types = {});

}  // namespace gtune
