#include "measure/energy_meter.hpp"

#include <stdexcept>

#include "model/words.hpp"

namespace gtune {
namespace {

/// Why there is no energy; one line.
class NoEnergy : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

double read_counter(const LaunchSeries& series) {
  const auto value = series.counter_mj();
  if (!value) throw NoEnergy("the counter of energy can no longer be read");
  return *value;
}

/// Launches until at least `seconds` have passed and a launch has finished, and waits for the end.
void launch_for(LaunchSeries& series, double seconds) {
  const double begin = series.now_s();
  const std::int64_t before = series.launches();
  while (series.now_s() - begin < seconds || series.launches() == before) series.go_on();
  series.finish();
}

EnergyUse measured(LaunchSeries& series, const EnergyOptions& options) {
  launch_for(series, options.lead_in_s);
  const double energy_before = read_counter(series);
  const double begin = series.now_s();
  const std::int64_t launches_before = series.launches();
  launch_for(series, options.least_s);
  EnergyUse use;
  use.seconds = series.now_s() - begin;
  use.launches = series.launches() - launches_before;
  const double energy_mj = read_counter(series) - energy_before;
  if (energy_mj < 0) throw NoEnergy("the counter of energy went back");
  if (energy_mj == 0) {
    throw NoEnergy("the counter of energy did not change for " + shortest_text(options.least_s) +
                   " s");
  }
  use.energy_mj = energy_mj / static_cast<double>(use.launches);
  use.power_w = energy_mj / 1000 / use.seconds;
  return use;
}

}  // namespace

EnergyReading measure_energy(LaunchSeries& series, const EnergyOptions& options) {
  try {
    return {measured(series, options), ""};
  } catch (const NoEnergy& error) {
    return {std::nullopt, error.what()};
  }
}

}  // namespace gtune
