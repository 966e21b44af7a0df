#include "authoring/sample_configs.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gtune {
namespace {

/// Larger spaces are sampled at equal intervals.
constexpr std::size_t most_candidates = 4096;

using Value = std::pair<std::size_t, std::uint16_t>;  // dimension, index of its value

std::size_t new_values(const SearchSpace& space, std::size_t index, const std::set<Value>& seen) {
  const auto row = space.coordinates(index);
  std::size_t count = 0;
  for (std::size_t i = 0; i < row.size(); ++i) count += seen.contains({i, row[i]}) ? 0 : 1;
  return count;
}

}  // namespace

std::vector<Config> sample_configs(const SearchSpace& space, std::size_t count) {
  std::vector<std::size_t> candidates;
  const std::size_t step = std::max<std::size_t>(1, space.size() / most_candidates);
  for (std::size_t i = 0; i < space.size(); i += step) candidates.push_back(i);
  std::vector<Config> chosen;
  std::set<Value> seen;
  while (chosen.size() < count && !candidates.empty()) {
    const auto best =
        std::max_element(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
          return new_values(space, a, seen) < new_values(space, b, seen);
        });
    const auto row = space.coordinates(*best);
    for (std::size_t i = 0; i < row.size(); ++i) seen.insert({i, row[i]});
    chosen.push_back(space.config(*best));
    candidates.erase(best);
  }
  return chosen;
}

std::vector<UnusedValues> unused_values(const SearchSpace& space) {
  std::vector<UnusedValues> all;
  for (std::size_t d = 0; d < space.dimensions().size(); ++d) {
    const Dimension& dimension = space.dimensions()[d];
    std::vector<bool> is_used(dimension.values.size());
    for (std::size_t i = 0; i < space.size(); ++i) is_used[space.coordinates(i)[d]] = true;
    UnusedValues unused{dimension.name, {}};
    for (std::size_t i = 0; i < is_used.size(); ++i) {
      if (!is_used[i]) unused.values.push_back(dimension.values[i]);
    }
    if (!unused.values.empty()) all.push_back(std::move(unused));
  }
  return all;
}

}  // namespace gtune
