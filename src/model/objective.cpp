#include "model/objective.hpp"

#include <array>
#include <cstddef>

#include "model/words.hpp"

namespace gtune {
namespace {

constexpr std::array<std::string_view, 3> objective_words = {"time", "energy", "edp"};

}  // namespace

std::string_view to_string(Objective objective) {
  return objective_words.at(static_cast<std::size_t>(objective));
}

Objective objective_from_string(std::string_view word) {
  return static_cast<Objective>(index_of_word(objective_words, word, "objective"));
}

double cost_of(Objective objective, double ms, double energy_mj) {
  switch (objective) {
    case Objective::time:
      return ms;
    case Objective::energy:
      return energy_mj;
    case Objective::edp:
      break;
  }
  return energy_mj * ms;
}

}  // namespace gtune
