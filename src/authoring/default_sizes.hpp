#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "authoring/spec_draft.hpp"

namespace gtune {

/// What a first spec's sizes are used for.
struct SizeUse {
  std::vector<std::string> grid;                         // expressions of the spec
  std::string shared_bytes;                              // of dynamic shared memory, likewise
  std::size_t buffer_dimensions = 1;                     // the most that a buffer has
  std::function<bool(const DraftSize& size)> is_stride;  // from one row or matrix to the next
};

/// A value for each of the draft's sizes, in their order: buffers of some 2^20 elements, with which
/// the grid is valid and shared memory fits without opt-in.
[[nodiscard]] std::vector<std::int64_t> default_sizes(const SpecDraft& draft, const SizeUse& use);

}  // namespace gtune
