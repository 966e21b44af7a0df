#pragma once

#include <map>
#include <optional>
#include <vector>

#include "space/search_space.hpp"
#include "tune/environment.hpp"
#include "tune/run_clock.hpp"

namespace gtune {

/// A run on one problem: what was measured so far, on its way into the database.
class ProblemState {
 public:
  ProblemState(Environment& environment, const RunSettings& settings, Problem problem,
               const SearchSpace& space, MeasurementKey key, RunId run);

  /// Commits the measurement to the database, then counts it.
  MeasurementId record(const Measurement& measurement);
  /// Counts a measurement that is in the database already.
  void reuse(const Measurement& measurement);

  /// Takes a configuration that the search found right out of the race, and stores why, so that
  /// later runs leave it out as well. The best is then among the others.
  void disqualify(const Measurement& measurement, Status verdict, const std::string& reason);

  /// How long a launch may take: a multiple of the best, and never above the user's limit.
  [[nodiscard]] double launch_limit_ms() const;
  void report(const std::string& stage);
  void set_total(std::optional<std::uint64_t> total) { m_progress.total = total; }

  Environment& environment;
  const RunSettings& settings;
  const Problem problem;
  const SearchSpace& space;
  const MeasurementKey key;
  const RunId run;
  RunClock clock;

  [[nodiscard]] std::optional<double> best_ms() const { return m_progress.best_ms; }
  /// How many correct configurations could still win.
  [[nodiscard]] std::size_t in_race() const;
  [[nodiscard]] const Progress& progress() const { return m_progress; }
  /// The search's measurements still in the race, in the order in which they came.
  [[nodiscard]] const std::vector<Measurement>& searched() const { return m_searched; }

 private:
  void count(const Measurement& measurement);
  void race(const Measurement& measurement);

  Progress m_progress;
  std::vector<Measurement> m_searched;
};

}  // namespace gtune
