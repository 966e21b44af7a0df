#include "search/nearest_unasked.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gtune {

double distance(const SearchSpace& space, std::span<const std::uint16_t> a,
                std::span<const std::uint16_t> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (a[d] == b[d]) continue;
    const auto last = static_cast<double>(space.dimensions()[d].values.size() - 1);
    sum += std::abs(static_cast<double>(a[d]) - static_cast<double>(b[d])) / last;
  }
  return sum;
}

std::size_t nearest_unasked(const SearchSpace& space, const Unasked& unasked,
                            std::span<const std::uint16_t> row, Random& random) {
  if (const auto index = space.find(row); index && unasked.contains(*index)) return *index;
  // Keeps a proposal under a millisecond in spaces with millions of configurations.
  constexpr std::size_t most_compared = 8192;
  const std::size_t compared = std::min(unasked.size(), most_compared);
  const std::size_t start = random.below(unasked.size());
  std::size_t nearest = unasked.at(start);
  double nearest_distance = INFINITY;
  for (std::size_t i = 0; i < compared; ++i) {
    const std::size_t index =
        compared < unasked.size() ? unasked.draw(random) : unasked.at((start + i) % unasked.size());
    const double apart = distance(space, row, space.coordinates(index));
    if (apart < nearest_distance) {
      nearest_distance = apart;
      nearest = index;
    }
  }
  return nearest;
}

std::size_t nearest_unasked(const SearchSpace& space, const Unasked& unasked,
                            std::span<const double> place, Random& random) {
  std::vector<std::uint16_t> row;
  for (std::size_t d = 0; d < place.size(); ++d) {
    const auto last = static_cast<double>(space.dimensions()[d].values.size() - 1);
    row.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(place[d], 0.0, last))));
  }
  return nearest_unasked(space, unasked, row, random);
}

std::optional<std::size_t> random_unasked_neighbour(const SearchSpace& space,
                                                    const Unasked& unasked, std::size_t index,
                                                    Random& random) {
  std::vector<std::size_t> neighbours = space.neighbours(index, Neighbourhood::any);
  std::erase_if(neighbours, [&](std::size_t other) { return !unasked.contains(other); });
  if (neighbours.empty()) return std::nullopt;
  return neighbours[random.below(neighbours.size())];
}

}  // namespace gtune
