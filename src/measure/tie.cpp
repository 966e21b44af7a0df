#include "measure/tie.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>

#include "model/statistics.hpp"

namespace gtune {

namespace {

/// The interval of the median difference between a finalist and the fastest within rounds.
ConfidenceInterval excess(std::span<const double> samples, std::span<const double> fastest) {
  std::vector<double> differences(samples.size());
  for (std::size_t round = 0; round < samples.size(); ++round) {
    differences[round] = samples[round] - fastest[round];
  }
  return median_interval(differences);
}

}  // namespace

Ranking rank_finalists(const std::vector<std::vector<double>>& samples, TieOptions options) {
  if (samples.empty()) throw std::invalid_argument("no finalists");
  std::size_t rounds = samples[0].size();
  for (const auto& of_one : samples) rounds = std::min(rounds, of_one.size());
  if (rounds == 0) throw std::invalid_argument("a finalist has no samples");

  std::vector<double> medians;
  for (const auto& of_one : samples) medians.push_back(median({of_one.data(), rounds}));
  Ranking ranking;
  ranking.order.resize(samples.size());
  std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
  std::stable_sort(ranking.order.begin(), ranking.order.end(),
                   [&](std::size_t a, std::size_t b) { return medians[a] < medians[b]; });

  const std::size_t fastest = ranking.order[0];
  const double floor = options.floor * medians[fastest];
  for (const std::size_t finalist : ranking.order) {
    const auto [low, high] =
        excess({samples[finalist].data(), rounds}, {samples[fastest].data(), rounds});
    if (low > floor) continue;
    ranking.tied.push_back(finalist);
    ranking.settled = ranking.settled && high <= floor;
  }
  return ranking;
}

}  // namespace gtune
