#include "score/scoreboard.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "score/random_baseline.hpp"
#include "score/seeded_run.hpp"
#include "system/side_by_side.hpp"

namespace gtune {
namespace {

/// The figures kept of a run: small, whatever its length.
struct RunFigures {
  std::vector<std::optional<std::size_t>> reached;  // per goal
  std::vector<double> share;                        // of the optimum, per evaluation
  std::vector<double> best_at_moments;              // ms; infinite until something ran
  std::optional<OwnEnd> own_end;
  std::size_t evaluations = 0;
  double cpu_ms = 0;
};

constexpr double goals[] = {0.95, 0.99};

RunFigures figures_of(const SeededRun& run, const RecordedSpace& recorded,
                      const std::vector<double>& moments, std::size_t evaluations) {
  RunFigures figures;
  figures.evaluations = run.evaluations;
  figures.cpu_ms = run.cpu_ms;
  figures.own_end = run.own_end;
  for (const double goal : goals) {
    const auto found = std::find_if(
        run.improvements.begin(), run.improvements.end(),
        [&](const Improvement& each) { return each.cost_ms * goal <= recorded.optimum_ms; });
    const bool in_time = found != run.improvements.end() && found->evaluations <= evaluations;
    figures.reached.push_back(in_time ? std::optional(found->evaluations) : std::nullopt);
  }
  auto next = run.improvements.begin();
  double best = INFINITY;
  for (std::size_t n = 1; n <= evaluations; ++n) {
    for (; next != run.improvements.end() && next->evaluations <= n; ++next) best = next->cost_ms;
    figures.share.push_back(recorded.optimum_ms / best);
  }
  next = run.improvements.begin();
  best = INFINITY;
  for (const double moment : moments) {
    for (; next != run.improvements.end() && next->elapsed_ms <= moment; ++next) {
      best = next->cost_ms;
    }
    figures.best_at_moments.push_back(best);
  }
  return figures;
}

/// The evaluations within which `share` of the runs reached the goal; absent if fewer did.
std::optional<std::size_t> within(const std::vector<RunFigures>& runs, std::size_t goal,
                                  double share) {
  std::vector<std::size_t> needed;
  for (const RunFigures& run : runs) {
    if (run.reached[goal]) needed.push_back(*run.reached[goal]);
  }
  const auto wanted =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(runs.size()) - 1e-9));
  if (wanted == 0 || needed.size() < wanted) return std::nullopt;
  std::sort(needed.begin(), needed.end());
  return needed[wanted - 1];
}

/// The decreasing curve nearest to the runs' best costs (isotonic regression by pooling adjacent
/// violators), read off at the moments. Runs in which nothing ran yet do not count.
std::vector<double> decreasing_curve(const std::vector<RunFigures>& runs) {
  struct Block {
    double sum, weight;
    std::size_t moments;
    [[nodiscard]] double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < runs.front().best_at_moments.size(); ++i) {
    Block block = {0, 0, 1};
    for (const RunFigures& run : runs) {
      if (!std::isfinite(run.best_at_moments[i])) continue;
      block.sum += run.best_at_moments[i];
      ++block.weight;
    }
    const auto violated = [&] {
      const Block& last = blocks.back();
      return block.weight == 0 || last.weight == 0 || last.mean() < block.mean();
    };
    while (!blocks.empty() && violated()) {
      const Block& last = blocks.back();
      block = {block.sum + last.sum, block.weight + last.weight, block.moments + last.moments};
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
  std::vector<double> curve;
  for (const Block& block : blocks) curve.insert(curve.end(), block.moments, block.mean());
  return curve;
}

std::vector<CurvePoint> curve_of(const std::vector<RunFigures>& runs, std::size_t evaluations) {
  std::vector<CurvePoint> curve;
  std::vector<double> shares(runs.size());
  const auto quantile = [&](double q) {
    return shares[static_cast<std::size_t>(std::lround(q * static_cast<double>(runs.size() - 1)))];
  };
  for (std::size_t n = 0; n < evaluations; ++n) {
    for (std::size_t r = 0; r < runs.size(); ++r) shares[r] = runs[r].share[n];
    std::sort(shares.begin(), shares.end());
    curve.push_back({quantile(0.1), quantile(0.5), quantile(0.9)});
  }
  return curve;
}

std::optional<OwnEnds> own_ends_of(const std::vector<RunFigures>& runs, double optimum_ms) {
  std::vector<std::size_t> evaluations;
  OwnEnds ends;
  for (const RunFigures& run : runs) {
    if (!run.own_end) continue;
    evaluations.push_back(run.own_end->evaluations);
    const double loss = run.own_end->best_ms / optimum_ms - 1;
    ends.mean_loss += loss;
    ends.worst_loss = std::max(ends.worst_loss, loss);
  }
  if (evaluations.empty()) return std::nullopt;
  ends.runs = evaluations.size();
  ends.mean_loss /= static_cast<double>(ends.runs);
  const auto middle = evaluations.begin() + static_cast<std::ptrdiff_t>(ends.runs / 2);
  std::nth_element(evaluations.begin(), middle, evaluations.end());
  ends.median_evaluations = *middle;
  return ends;
}

StrategyScore summed_up(const std::string& strategy, const std::vector<RunFigures>& runs,
                        const RandomBaseline& baseline, std::size_t evaluations,
                        double optimum_ms) {
  StrategyScore score;
  score.strategy = strategy;
  for (std::size_t goal = 0; goal < std::size(goals); ++goal) {
    score.reached.push_back({goals[goal], within(runs, goal, 0.5), within(runs, goal, 0.9)});
  }
  double total_evaluations = 0;
  for (const RunFigures& run : runs) {
    total_evaluations += static_cast<double>(run.evaluations);
    score.cpu_ms += run.cpu_ms;
  }
  score.own_ends = own_ends_of(runs, optimum_ms);
  score.methodology = baseline.score(decreasing_curve(runs));
  score.cpu_ms /= std::max(total_evaluations, 1.0);
  score.curve = curve_of(runs, evaluations);
  return score;
}

}  // namespace

std::optional<SpaceScore> score_space(const RecordedSpace& recorded, const ScoreSettings& settings,
                                      const std::function<bool()>& interrupted) {
  const RandomBaseline baseline(recorded);
  const std::vector<double> moments = baseline.moments();
  const RunLimits limits = {std::min(settings.evaluations, recorded.space.size()), moments.back(),
                            settings.outstanding};
  std::vector<std::vector<RunFigures>> runs(settings.strategies.size(),
                                            std::vector<RunFigures>(settings.seeds));
  std::atomic<bool> stop = false;
  const auto stopped = [&] {
    if (interrupted()) stop = true;
    return stop.load();
  };
  work_side_by_side(
      settings.strategies.size() * settings.seeds, settings.threads, stop, [&](std::size_t i) {
        if (stopped()) return;
        const std::size_t strategy = i / settings.seeds;
        const std::size_t seed = i % settings.seeds;
        const SeededRun run =
            run_seeded(recorded, settings.strategies[strategy], seed, limits, stopped);
        runs[strategy][seed] = figures_of(run, recorded, moments, limits.evaluations);
      });
  if (stop) return std::nullopt;
  SpaceScore score;
  score.space = recorded.name;
  score.configurations = recorded.space.size();
  score.failing = static_cast<std::size_t>(
      std::count(recorded.costs_ms.begin(), recorded.costs_ms.end(), std::nullopt));
  score.optimum_ms = recorded.optimum_ms;
  for (std::size_t s = 0; s < runs.size(); ++s) {
    score.strategies.push_back(summed_up(settings.strategies[s], runs[s], baseline,
                                         limits.evaluations, recorded.optimum_ms));
  }
  return score;
}

}  // namespace gtune
