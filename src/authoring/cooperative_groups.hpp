#pragma once

#include "authoring/source_tokens.hpp"

namespace gtune {

/// A kernel's body with built-in variables in place of what cooperative groups say of indices:
/// `threadIdx.x` for `block.thread_rank()`, `(threadIdx.x / 32)` for `warp.meta_group_rank()`.
/// Ranks stay as they are in blocks with threads along y.
[[nodiscard]] Tokens without_groups(const Tokens& body);

}  // namespace gtune
