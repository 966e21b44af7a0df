#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "exchange/recorded_space.hpp"

namespace gtune {

struct ScoreSettings {
  std::vector<std::string> strategies;
  std::size_t seeds = 100;
  std::size_t evaluations = 400;
  std::size_t outstanding = 1;
  std::size_t threads = 1;
};

/// Evaluations until a share of the runs came this near to the optimum; absent if that took more
/// than were allowed.
struct Reached {
  double of_optimum = 0;  // 0.95: the time is at most the optimum's / 0.95
  std::optional<std::size_t> half_of_runs;
  std::optional<std::size_t> nine_tenths_of_runs;
};

/// The runs that would have ended by themselves, without a budget.
struct OwnEnds {
  std::size_t runs = 0;
  std::size_t median_evaluations = 0;
  double mean_loss = 0;  // shares by which their best was slower than the optimum
  double worst_loss = 0;
};

/// Quantiles over the runs of optimum / best time so far.
struct CurvePoint {
  double tenth, median, nine_tenths;
};

struct StrategyScore {
  std::string strategy;
  std::vector<Reached> reached;     // at 95 % and 99 %
  std::optional<OwnEnds> own_ends;  // absent if no run would have ended by itself
  double methodology = 0;           // 0: random search, 1: the optimum at once
  double cpu_ms = 0;                // of the search itself, per evaluation
  std::vector<CurvePoint> curve;    // after 1, 2, 3, ... evaluations
};

struct SpaceScore {
  std::string space;
  std::size_t configurations = 0;
  std::size_t failing = 0;
  double optimum_ms = 0;
  std::vector<StrategyScore> strategies;
};

/// Runs every strategy on a space with the seeds 0, 1, 2, ... Only CPU times depend on the number
/// of threads. Absent if `interrupted`, which is called before each ask, returned true.
[[nodiscard]] std::optional<SpaceScore> score_space(const RecordedSpace& recorded,
                                                    const ScoreSettings& settings,
                                                    const std::function<bool()>& interrupted);

}  // namespace gtune
