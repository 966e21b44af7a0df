#include "space/restrict.hpp"

#include <set>

namespace gtune {

SearchSpace restrict_to(const SearchSpace& space, std::span<const Config> configs) {
  std::set<std::size_t> kept;
  for (const Config& config : configs) {
    if (const auto index = space.index_of(config)) kept.insert(*index);
  }
  std::vector<std::uint16_t> rows;
  for (const std::size_t index : kept) {
    const auto row = space.coordinates(index);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return SearchSpace(space.dimensions(), std::move(rows));
}

}  // namespace gtune
