#pragma once

#include "authoring/source_tokens.hpp"

namespace gtune {

/// A kernel's body with built-in variables in place of queries of cooperative groups: `threadIdx.x`
/// for `block.thread_rank()`, `(threadIdx.x / 32)` for `warp.meta_group_rank()`. Ranks stay as they
/// are unless blocks and grids are along x alone.
[[nodiscard]] Tokens without_groups(const Tokens& body);

}  // namespace gtune
