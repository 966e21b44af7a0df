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

/// What is known at an update of the counter.
struct Mark {
  double energy_mj = 0;
  double time_s = 0;
  LaunchSeries::Finished finished;
};

double read_counter(const LaunchSeries& series) {
  const auto value = series.counter_mj();
  if (!value) throw NoEnergy("the counter of energy can no longer be read");
  return *value;
}

/// Launches until at least `seconds` have passed and a launch has finished.
void lead_in(LaunchSeries& series, double seconds) {
  const double begin = series.now_s();
  while (series.now_s() - begin < seconds || series.finished().launches == 0) series.go_on();
}

/// Launches until the counter is updated.
Mark next_update(LaunchSeries& series, double longest_wait_s) {
  const double begin = series.now_s();
  const double before = read_counter(series);
  for (;;) {
    series.go_on();
    const double asked = series.now_s();
    const double value = read_counter(series);
    const double now = (asked + series.now_s()) / 2;  // a read takes 3 to 13 ms on an H200
    if (value < before) throw NoEnergy("the counter of energy went back");
    if (value > before) return {value, now, series.finished()};
    if (now - begin > longest_wait_s) {
      throw NoEnergy("the counter of energy did not change for " + shortest_text(longest_wait_s) +
                     " s");
    }
  }
}

EnergyUse use_between(const Mark& first, const Mark& last, int updates) {
  EnergyUse use;
  use.seconds = last.time_s - first.time_s;
  use.power_w = (last.energy_mj - first.energy_mj) / 1000 / use.seconds;
  use.launches = last.finished.launches - first.finished.launches;
  use.energy_mj = use.power_w * (last.finished.device_ms - first.finished.device_ms) /
                  static_cast<double>(use.launches);
  use.updates = updates;
  return use;
}

}  // namespace

EnergyReading measure_energy(LaunchSeries& series, const EnergyOptions& options) {
  try {
    lead_in(series, options.lead_in_s);
    const Mark first = next_update(series, options.longest_wait_s);
    for (int updates = 1;; ++updates) {
      const Mark last = next_update(series, options.longest_wait_s);
      const bool is_long = last.time_s - first.time_s >= options.least_s;
      // A launch may take longer than the least time.
      if (is_long && last.finished.launches > first.finished.launches) {
        return {use_between(first, last, updates), ""};
      }
    }
  } catch (const NoEnergy& error) {
    return {std::nullopt, error.what()};
  }
}

}  // namespace gtune
