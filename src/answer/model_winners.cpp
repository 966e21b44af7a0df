#include "answer/model_winners.hpp"

#include <map>
#include <string>
#include <utility>

namespace gtune {

std::vector<Winner> winners_of_models(const std::vector<Winner>& winners) {
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  std::vector<Winner> best;
  for (const Winner& winner : winners) {
    const auto [place, is_new] =
        places.try_emplace({winner.device.name, winner.problem.text()}, best.size());
    if (is_new) {
      best.push_back(winner);
    } else if (model_rank(winner) < model_rank(best[place->second])) {
      best[place->second] = winner;
    }
  }
  return best;
}

}  // namespace gtune
