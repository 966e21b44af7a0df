#pragma once

#include <cstddef>

namespace gtune {

/// Memory of another GPU, which kernels and copies of the current one can access; the others are
/// asked in turn. Absent (nullptr) if it has too little. Throws UserError(failed) if there is no
/// such GPU. cudaFree frees it.
[[nodiscard]] void* allocate_on_peer(std::size_t bytes);

}  // namespace gtune
