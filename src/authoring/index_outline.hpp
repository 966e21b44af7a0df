#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// What a kernel's text says of its launch along x, y or z. Texts are expressions of the source's
/// names, blockDim, gridDim and extent among them: the elements along an axis; empty where it does
/// not say.
struct AxisOutline {
  bool has_threads = false;     // it names threadIdx
  bool has_blocks = false;      // it names blockIdx
  bool has_block_size = false;  // it names blockDim
  std::string threads;          // of a block
  std::string tile;             // elements of a block
  std::string bound;            // elements in all
};

struct IndexOutline {
  std::array<AxisOutline, 3> axes;
  std::map<std::string, std::string> elements;  // that an array has at least; by its name
};

/// Reads what a kernel's `body` computes its indices from, and compares them with. `arrays`: whose
/// elements are asked for, "params.x" for a member of an argument.
[[nodiscard]] IndexOutline outline_indices(const Tokens& body,
                                           const std::vector<std::string>& arguments,
                                           const std::vector<std::string>& arrays = {});

}  // namespace gtune
