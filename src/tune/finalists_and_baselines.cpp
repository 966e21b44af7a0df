#include "tune/finalists_and_baselines.hpp"

#include <utility>

namespace gtune {

std::vector<StoredMeasurement> finalists_and_baselines(const ProblemState& state) {
  const Database& database = state.environment.database;
  std::vector<StoredMeasurement> found =
      database.load_finalists(state.run, state.settings.finalists);
  for (StoredMeasurement& each : database.load_measurements(state.key(), Phase::baseline)) {
    if (each.measurement.ok()) found.push_back(std::move(each));
  }
  return found;
}

}  // namespace gtune
