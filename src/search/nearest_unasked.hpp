#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "search/random.hpp"
#include "search/unasked.hpp"
#include "space/search_space.hpp"

namespace gtune {

/// The distance of two configurations: 1 for each parameter at opposite ends of its list, less for
/// nearer values.
[[nodiscard]] double distance(const SearchSpace& space, std::span<const std::uint16_t> a,
                              std::span<const std::uint16_t> b);

/// The unasked configuration nearest to `row`, which need not be a valid one itself. Ties are
/// broken at random. In spaces of many configurations the nearest of some thousand. There must
/// be an unasked one.
[[nodiscard]] std::size_t nearest_unasked(const SearchSpace& space, const Unasked& unasked,
                                          std::span<const std::uint16_t> row, Random& random);

/// The configuration at a place between the lists' entries, from 0 to their last ones.
[[nodiscard]] std::size_t nearest_unasked(const SearchSpace& space, const Unasked& unasked,
                                          std::span<const double> place, Random& random);

/// One of those that differ in a single parameter; absent where all have been asked for.
[[nodiscard]] std::optional<std::size_t> random_unasked_neighbour(const SearchSpace& space,
                                                                  const Unasked& unasked,
                                                                  std::size_t index,
                                                                  Random& random);

}  // namespace gtune
