#pragma once

#include <map>
#include <optional>
#include <vector>

#include "space/search_space.hpp"
#include "tune/environment.hpp"
#include "tune/prior_winners.hpp"
#include "tune/run_clock.hpp"

namespace gtune {

/// How a search used the workers.
struct SearchUse {
  double gpu_busy = 0;                 // share of the time, mean over the workers
  double seconds = 0;                  // wall-clock time, even in a replay
  std::vector<std::int64_t> measured;  // configurations, by worker
  double spent_s = 0;                  // by the run's clock, to which the budget applies
  std::uint64_t tried = 0;             // configurations, those from the database included
  std::map<PriorOrigin, int> priors;   // that were measured first
  bool ended_by_time = false;          // more configurations were left
  std::vector<double> best_so_far;     // ms, after each configuration from the first correct one on
  /// The share by which the next configuration was expected to be faster, if that ended the search.
  std::optional<double> ended_at_gain;
};

/// The state of a run on one problem. Stores each measurement in the database.
class ProblemState {
 public:
  ProblemState(const Environment& environment, const RunSettings& settings, Problem problem,
               const SearchSpace& space, MeasurementKey key, RunId run);

  /// Stores the measurement under the device of the worker that made it, commits, and counts it.
  MeasurementId record(const Measurement& measurement, std::size_t worker);
  /// Records a measurement of the lead.
  MeasurementId record(const Measurement& measurement) {
    return record(measurement, environment.workers.lead_number());
  }
  /// Counts a measurement that is already in the database.
  void reuse(const Measurement& measurement);

  /// Disqualifies a configuration that the search found correct, and stores why, so that later runs
  /// exclude it as well. The fastest remaining one becomes the best.
  void disqualify(const Measurement& measurement, Status verdict, const std::string& reason);

  /// Makes the present lead's device that of the run, after the previous lead dropped out.
  void follow_lead();

  /// Time limit of a launch: a multiple of the best time, but at most the user's limit.
  [[nodiscard]] double launch_limit_ms() const;
  /// Valid after the search.
  [[nodiscard]] const SearchUse& search_use() const { return m_search_use; }
  void set_search_use(SearchUse use) { m_search_use = std::move(use); }
  void report(const std::string& stage);
  /// What is being waited for, to be reported.
  void set_under_way(std::size_t compiling, std::size_t measuring);
  void set_total(std::optional<std::uint64_t> total) { m_progress.total = total; }

  const Environment& environment;
  const RunSettings& settings;
  const Problem problem;
  const SearchSpace& space;
  const RunId run;
  RunClock clock;

  /// The key of the lead's measurements.
  [[nodiscard]] const MeasurementKey& key() const { return m_key; }
  [[nodiscard]] std::optional<double> best_ms() const { return m_progress.best_ms; }
  /// The number of correct configurations that can still win.
  [[nodiscard]] std::size_t in_race() const;
  [[nodiscard]] const Progress& progress() const { return m_progress; }
  /// The search's measurements that are still in the race, in their order.
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
