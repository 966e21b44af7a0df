#pragma once

#include <functional>
#include <optional>
#include <string>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// An index that neighbouring threads share.
struct SharedIndex {
  Tokens of_thread;     // each thread's own: blockIdx.x * BLOCK + threadIdx.x, or a variable's name
  std::string sharers;  // threads
};

/// Reads the definition of an index: `(blockIdx.x * BLOCK + threadIdx.x) / 32`, or with a quotient
/// of its own for the block and the thread, `blockIdx.x * (BLOCK / 32) + threadIdx.x / 32`. A shift
/// to the right is a quotient, too. `definition_of`: a variable's definition, which may be that of
/// either quotient; empty: none.
[[nodiscard]] std::optional<SharedIndex> shared_index(
    const Tokens& text, const std::function<Tokens(const std::string&)>& definition_of);

}  // namespace gtune
