#pragma once

#include <memory>

#include "jit/cubin_cache.hpp"

namespace gtune {

/// The cache that the environment names, with a note on standard error if it is not trusted.
[[nodiscard]] std::unique_ptr<CubinCache> open_cubin_cache();

}  // namespace gtune
