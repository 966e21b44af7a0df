#pragma once

#include <string>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// A kernel's body with the results of small functions in place of their calls, where these ask for
/// the block or the thread: `int i = (blockIdx.x * blockDim.x + threadIdx.x);` for
/// `int i = global_index();`.
[[nodiscard]] Tokens with_inlined_indices(const Tokens& body, const Tokens& source);

/// The bodies of all functions that a body calls, directly or through others.
[[nodiscard]] Tokens called_functions(const Tokens& body, const Tokens& source);

}  // namespace gtune
