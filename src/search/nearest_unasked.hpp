#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "search/random.hpp"
#include "search/unasked.hpp"
#include "space/search_space.hpp"

namespace gtune {

/// The distance between two configurations: 1 for each parameter at opposite ends of its list, less
/// for nearer values.
[[nodiscard]] double distance(const SearchSpace& space, std::span<const std::uint16_t> a,
                              std::span<const std::uint16_t> b);

/// The unasked configuration nearest to `row`, which itself need not be valid. Ties are broken at
/// random. In large spaces, the nearest of a few thousand random ones. At least one configuration
/// must be unasked.
[[nodiscard]] std::size_t nearest_unasked(const SearchSpace& space, const Unasked& unasked,
                                          std::span<const std::uint16_t> row, Random& random);

/// The same for fractional positions in the parameters' lists, which are clamped and rounded.
[[nodiscard]] std::size_t nearest_unasked(const SearchSpace& space, const Unasked& unasked,
                                          std::span<const double> place, Random& random);

/// A random unasked configuration that differs in a single parameter; absent if there is none.
[[nodiscard]] std::optional<std::size_t> random_unasked_neighbour(const SearchSpace& space,
                                                                  const Unasked& unasked,
                                                                  std::size_t index,
                                                                  Random& random);

}  // namespace gtune
