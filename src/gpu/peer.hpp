#pragma once

#include <cstddef>

namespace gtune {

/// Memory of the next GPU whose memory kernels and copies of the current one can access; nullptr if
/// that GPU has too little. Throws UserError(failed) if there is no such GPU. cudaFree frees it.
[[nodiscard]] void* allocate_on_peer(std::size_t bytes);

}  // namespace gtune
