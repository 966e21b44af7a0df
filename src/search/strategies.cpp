#include <string>

#include "model/error.hpp"
#include "search/exhaustive_strategy.hpp"
#include "search/guided_strategy.hpp"
#include "search/random_strategy.hpp"
#include "search/strategy.hpp"

namespace gtune {

const std::vector<StrategyInfo>& strategies() {
  static const std::vector<StrategyInfo> all = {
      {GuidedStrategy::strategy_name, "a model of what was measured picks what to try next"},
      {RandomStrategy::strategy_name, "configurations in random order"},
      {ExhaustiveStrategy::strategy_name, "all configurations, evenly spread over the space"},
  };
  return all;
}

std::unique_ptr<Strategy> make_strategy(std::string_view name, const SearchSpace& space,
                                        std::uint64_t seed) {
  if (name == GuidedStrategy::strategy_name) return std::make_unique<GuidedStrategy>(space, seed);
  if (name == RandomStrategy::strategy_name) return std::make_unique<RandomStrategy>(space, seed);
  if (name == ExhaustiveStrategy::strategy_name) {
    return std::make_unique<ExhaustiveStrategy>(space, seed);
  }
  std::string names;
  for (const StrategyInfo& info : strategies()) {
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  throw UserError(ExitCode::usage, "no strategy '" + std::string(name) + "'; there are: " + names);
}

}  // namespace gtune
