#pragma once

#include <span>

#include "space/search_space.hpp"

namespace gtune {

/// The part of a space that is among `configs`, with the space's dimensions and in its order.
[[nodiscard]] SearchSpace restrict_to(const SearchSpace& space, std::span<const Config> configs);

}  // namespace gtune
