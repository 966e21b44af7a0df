#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/measurement.hpp"

namespace gtune {

/// The progress of a run on one problem.
struct Progress {
  Problem problem;
  std::string stage;  // "search", "final", "baselines", "check", "energy", "profile"
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;  // absent if only time limits the search
  std::optional<double> budget_seconds;
  double seconds = 0;        // since the run began
  std::uint64_t reused = 0;  // of `done`, taken from the database
  std::optional<double> best_ms;
  Config best;
  std::map<Status, std::int64_t> by_status;
  std::size_t compiling = 0;  // configurations at compilers
  std::size_t measuring = 0;  // configurations at workers
};

/// Receives the events of a run, for a progress line or a log.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void on_progress(const Progress& progress) = 0;
  /// Called after a measurement was stored.
  virtual void on_measurement(const Measurement& measurement) = 0;
  /// A line for the user, for instance that a worker was replaced.
  virtual void on_note(const std::string& line) = 0;
};

}  // namespace gtune
