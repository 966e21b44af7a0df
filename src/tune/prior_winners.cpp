#include "tune/prior_winners.hpp"

#include <algorithm>

#include "model/problem_distance.hpp"
#include "spec/problem_sizes.hpp"
#include "tune/shared_measurements.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_winners = 8;  // more would be a search of its own

}  // namespace

std::vector<std::size_t> prior_winners(const ProblemState& state) {
  std::vector<Winner> winners = state.environment.database.winners(state.environment.identity);
  const std::vector<MeasurementKey> keys = shared_keys(state.environment.workers, state.key());
  const auto is_ours = [&](DeviceId device) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](const MeasurementKey& key) { return key.device == device; });
  };
  std::erase_if(winners, [&](const Winner& winner) {
    return !is_ours(winner.device_id) || winner.problem == state.problem ||
           !same_choices(state.environment.spec, winner.problem, state.problem);
  });
  std::stable_sort(winners.begin(), winners.end(), [&](const Winner& a, const Winner& b) {
    return distance(a.problem, state.problem) < distance(b.problem, state.problem);
  });
  std::vector<std::size_t> indices;
  for (const Winner& winner : winners) {
    const auto index = state.space.index_of(winner.config);
    if (!index || std::find(indices.begin(), indices.end(), *index) != indices.end()) continue;
    indices.push_back(*index);
    if (indices.size() == most_winners) break;
  }
  return indices;
}

}  // namespace gtune
