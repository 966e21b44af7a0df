#pragma once

#include <map>
#include <optional>
#include <vector>

#include "space/search_space.hpp"
#include "tune/environment.hpp"
#include "tune/run_clock.hpp"

namespace gtune {

/// How a search used the workers.
struct SearchUse {
  double gpu_busy = 0;                 // share of the time, mean over the workers
  double seconds = 0;                  // by the wall's clock, also of a replay
  std::vector<std::int64_t> measured;  // configurations, by worker
  double spent_s = 0;                  // by the run's clock, which the budget is of
  std::uint64_t tried = 0;             // configurations, those from the database included
  bool ended_by_time = false;          // there were more to try
};

/// A run on one problem: what was measured so far, on its way into the database.
class ProblemState {
 public:
  ProblemState(const Environment& environment, const RunSettings& settings, Problem problem,
               const SearchSpace& space, MeasurementKey key, RunId run);

  /// Commits the measurement to the database under the device of the worker that made it, then
  /// counts it.
  MeasurementId record(const Measurement& measurement, std::size_t worker);
  /// Of the lead.
  MeasurementId record(const Measurement& measurement) {
    return record(measurement, environment.workers.lead_number());
  }
  /// Counts a measurement that is in the database already.
  void reuse(const Measurement& measurement);

  /// Takes a configuration that the search found right out of the race, and stores why, so that
  /// later runs leave it out as well. The best is then among the others.
  void disqualify(const Measurement& measurement, Status verdict, const std::string& reason);

  /// Makes the lead's device that of the run: after another dropped out.
  void follow_lead();

  /// How long a launch may take: a multiple of the best, and never above the user's limit.
  [[nodiscard]] double launch_limit_ms() const;
  /// Of the search, once it is over.
  [[nodiscard]] const SearchUse& search_use() const { return m_search_use; }
  void set_search_use(SearchUse use) { m_search_use = std::move(use); }
  void report(const std::string& stage);
  void set_total(std::optional<std::uint64_t> total) { m_progress.total = total; }

  const Environment& environment;
  const RunSettings& settings;
  const Problem problem;
  const SearchSpace& space;
  const RunId run;
  RunClock clock;

  /// Of what the lead measures.
  [[nodiscard]] const MeasurementKey& key() const { return m_key; }
  [[nodiscard]] std::optional<double> best_ms() const { return m_progress.best_ms; }
  /// How many correct configurations could still win.
  [[nodiscard]] std::size_t in_race() const;
  [[nodiscard]] const Progress& progress() const { return m_progress; }
  /// The search's measurements still in the race, in the order in which they came.
  [[nodiscard]] const std::vector<Measurement>& searched() const { return m_searched; }

 private:
  void count(const Measurement& measurement);
  void race(const Measurement& measurement);

  MeasurementKey m_key;
  SearchUse m_search_use;
  Progress m_progress;
  std::vector<Measurement> m_searched;
};

}  // namespace gtune
