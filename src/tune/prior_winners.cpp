#include "tune/prior_winners.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "model/error.hpp"

namespace gtune {
namespace {

/// Older ones say little, and each costs the time to read its winners.
constexpr std::size_t most_other_sources = 4;

void add(std::vector<PriorWinner>& to, std::vector<Winner> winners, PriorOrigin origin) {
  for (Winner& winner : winners) {
    to.push_back({std::move(winner.problem), std::move(winner.config), origin});
  }
}

}  // namespace

std::string_view to_string(PriorOrigin origin) {
  switch (origin) {
    case PriorOrigin::earlier_runs:
      return "earlier_runs";
    case PriorOrigin::other_sources:
      return "other_sources";
    case PriorOrigin::bundled_results:
      return "bundled_results";
    case PriorOrigin::other_devices:
      return "other_devices";
  }
  return "";
}

std::vector<PriorWinner> winners_of_other_sources(const Database& database,
                                                  const KernelIdentity& kernel) {
  std::vector<KernelIdentity> others = database.other_sources(kernel);
  others.resize(std::min(others.size(), most_other_sources));
  std::vector<PriorWinner> winners;
  for (const KernelIdentity& other : others) {
    add(winners, database.winners(other), PriorOrigin::other_sources);
  }
  return winners;
}

std::vector<PriorWinner> bundled_winners(const std::filesystem::path& file,
                                         const KernelIdentity& kernel, RunObserver& observer) {
  try {
    const Database database(file, OpenMode::immutable);
    std::vector<PriorWinner> winners = winners_of_other_sources(database, kernel);
    for (PriorWinner& winner : winners) winner.origin = PriorOrigin::bundled_results;
    add(winners, database.winners(kernel), PriorOrigin::bundled_results);
    return winners;
  } catch (const UserError& error) {
    observer.on_note(std::string("without the bundled results: ") + error.what());
    return {};
  }
}

}  // namespace gtune
