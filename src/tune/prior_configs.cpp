#include "tune/prior_configs.hpp"

#include <algorithm>
#include <utility>

#include "model/problem_distance.hpp"
#include "spec/problem_sizes.hpp"
#include "tune/also_results.hpp"
#include "tune/shared_measurements.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_priors = 8;  // more would be a search of its own

class Priors {
 public:
  explicit Priors(const ProblemState& state) : m_state(state), m_env(state.environment) {}

  [[nodiscard]] std::vector<PriorConfig> nearest() {
    const std::vector<MeasurementKey> keys = shared_keys(m_env.workers, m_state.key());
    add(m_env.database, keys);
    if (m_env.also != nullptr) {
      add(m_env.also->database(), m_env.also->keys(m_env, keys, m_state.problem));
    }
    for (const PriorWinner& winner : m_env.winners_elsewhere) add(winner);
    std::stable_sort(m_found.begin(), m_found.end(), [](const Found& a, const Found& b) {
      return std::pair(a.distance, a.origin) < std::pair(b.distance, b.origin);
    });
    return indices();
  }

 private:
  struct Found {
    Config config;
    double distance = 0;
    PriorOrigin origin = PriorOrigin::earlier_runs;
  };

  void add(const Database& database, const std::vector<MeasurementKey>& keys) {
    for (Winner& winner : database.winners(m_env.identity)) {
      const bool ours = std::any_of(keys.begin(), keys.end(), [&](const MeasurementKey& key) {
        return key.device == winner.device_id;
      });
      // What a run has measured itself must not change how it continues.
      if (ours && winner.problem == m_state.problem && winner.mode == m_state.settings.mode) {
        continue;
      }
      add({std::move(winner.problem), std::move(winner.config),
           ours ? PriorOrigin::earlier_runs : PriorOrigin::other_devices});
    }
  }

  void add(const PriorWinner& winner) {
    if (!same_choices(m_env.spec, winner.problem, m_state.problem)) return;
    m_found.push_back({winner.config, distance(winner.problem, m_state.problem), winner.origin});
  }

  [[nodiscard]] std::vector<PriorConfig> indices() const {
    std::vector<PriorConfig> priors;
    for (const Found& found : m_found) {
      const auto index = m_state.space.index_of(found.config);
      if (!index) continue;
      const auto same = [&](const PriorConfig& prior) { return prior.index == *index; };
      if (std::any_of(priors.begin(), priors.end(), same)) continue;
      const bool is_same_problem =
          found.distance == 0 && found.origin != PriorOrigin::other_devices;
      priors.push_back({*index, found.origin, is_same_problem});
      if (priors.size() == most_priors) break;
    }
    return priors;
  }

  const ProblemState& m_state;
  const Environment& m_env;
  std::vector<Found> m_found;
};

}  // namespace

std::vector<PriorConfig> prior_configs(const ProblemState& state) {
  return Priors(state).nearest();
}

}  // namespace gtune
