#pragma once

#include <span>

#include "space/search_space.hpp"

namespace gtune {

/// The configurations of `space` that are in `configs`, with the space's dimensions and order.
[[nodiscard]] SearchSpace restrict_to(const SearchSpace& space, std::span<const Config> configs);

}  // namespace gtune
