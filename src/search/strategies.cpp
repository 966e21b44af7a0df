#include <string>
#include <type_traits>

#include "model/error.hpp"
#include "search/annealing_strategy.hpp"
#include "search/differential_evolution_strategy.hpp"
#include "search/exhaustive_strategy.hpp"
#include "search/genetic_strategy.hpp"
#include "search/guided_strategy.hpp"
#include "search/local_search_strategy.hpp"
#include "search/particle_swarm_strategy.hpp"
#include "search/profile_guided_strategy.hpp"
#include "search/random_strategy.hpp"
#include "search/strategy.hpp"

namespace gtune {
namespace {

template <typename S>
StrategyInfo entry(std::string_view help, bool wants_metrics = false) {
  return {S::strategy_name, help, wants_metrics,
          [](const SearchSpace& space, std::uint64_t seed,
             const ConfigAmounts& amounts) -> std::unique_ptr<Strategy> {
            if constexpr (std::is_base_of_v<GuidedStrategy, S>) {
              return std::make_unique<S>(space, seed, amounts);
            } else {
              return std::make_unique<S>(space, seed);
            }
          }};
}

}  // namespace

const std::vector<StrategyInfo>& strategies() {
  static const std::vector<StrategyInfo> all = {
      entry<GuidedStrategy>("a model of the measurements picks the next configuration"),
      entry<ProfileGuidedStrategy>(
          "the same, and prefers configurations that relieve the measured bottleneck", true),
      entry<LocalSearchStrategy>("first improvement over neighbours, with restarts"),
      entry<AnnealingStrategy>("simulated annealing over neighbours"),
      entry<GeneticStrategy>("combines good configurations"),
      entry<DifferentialEvolutionStrategy>("adds differences of good configurations"),
      entry<ParticleSwarmStrategy>("particles move towards their own best and their neighbours'"),
      entry<RandomStrategy>("configurations in random order"),
      entry<ExhaustiveStrategy>("all configurations, in an order that spreads over the space"),
  };
  return all;
}

std::unique_ptr<Strategy> make_strategy(std::string_view name, const SearchSpace& space,
                                        std::uint64_t seed, const ConfigAmounts& amounts) {
  std::string names;
  for (const StrategyInfo& info : strategies()) {
    if (info.name == name) return info.make(space, seed, amounts);
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  throw UserError(ExitCode::usage, "no strategy '" + std::string(name) + "'; there are: " + names);
}

}  // namespace gtune
