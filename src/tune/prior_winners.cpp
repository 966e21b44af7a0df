#include "tune/prior_winners.hpp"

#include <algorithm>

#include "model/problem_distance.hpp"
#include "spec/problem_sizes.hpp"
#include "tune/also_results.hpp"
#include "tune/shared_measurements.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_winners = 8;  // more would be a search of its own

/// The winners of all sizes on the keys' devices.
std::vector<Winner> winners_on(const Database& database, const KernelIdentity& identity,
                               const std::vector<MeasurementKey>& keys) {
  std::vector<Winner> winners = database.winners(identity);
  std::erase_if(winners, [&](const Winner& winner) {
    return std::none_of(keys.begin(), keys.end(),
                        [&](const MeasurementKey& key) { return key.device == winner.device_id; });
  });
  return winners;
}

}  // namespace

std::vector<std::size_t> prior_winners(const ProblemState& state) {
  const Environment& env = state.environment;
  const std::vector<MeasurementKey> keys = shared_keys(env.workers, state.key());
  std::vector<Winner> winners = winners_on(env.database, env.identity, keys);
  if (env.also != nullptr) {
    for (Winner& winner :
         winners_on(env.also->database(), env.identity, env.also->keys(env, keys, state.problem))) {
      winners.push_back(std::move(winner));
    }
  }
  std::erase_if(winners, [&](const Winner& winner) {
    return winner.problem == state.problem ||
           !same_choices(env.spec, winner.problem, state.problem);
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
