#include "measure/tie.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>

#include "measure/statistics.hpp"

namespace gtune {

namespace {

/// What a finalist takes more than the fastest, relative to it, in the rounds that both have.
struct Excess {
  double median;
  ConfidenceInterval interval;
};

Excess excess(std::span<const double> samples, std::span<const double> fastest) {
  fastest = fastest.first(samples.size());
  std::vector<double> differences(samples.size());
  for (std::size_t round = 0; round < samples.size(); ++round) {
    differences[round] = samples[round] - fastest[round];
  }
  const double unit = median(fastest);
  const ConfidenceInterval interval = median_interval(differences);
  return {median(samples) / unit - 1, {interval.low / unit, interval.high / unit}};
}

/// Of those with the most samples.
std::size_t fastest_of(const std::vector<std::vector<double>>& samples) {
  std::size_t fastest = 0;
  for (std::size_t f = 1; f < samples.size(); ++f) {
    const std::size_t most = samples[fastest].size();
    if (samples[f].size() > most ||
        (samples[f].size() == most && median(samples[f]) < median(samples[fastest]))) {
      fastest = f;
    }
  }
  return fastest;
}

}  // namespace

Ranking rank_finalists(const std::vector<std::vector<double>>& samples, TieOptions options) {
  if (samples.empty()) throw std::invalid_argument("no finalists");
  for (const auto& of_one : samples) {
    if (of_one.empty()) throw std::invalid_argument("a finalist has no samples");
  }
  const std::size_t fastest = fastest_of(samples);
  std::vector<Excess> excesses;
  for (const auto& of_one : samples) excesses.push_back(excess(of_one, samples[fastest]));

  Ranking ranking;
  ranking.order.resize(samples.size());
  std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
  std::stable_sort(ranking.order.begin(), ranking.order.end(), [&](std::size_t a, std::size_t b) {
    if ((a == fastest) != (b == fastest)) return a == fastest;
    return excesses[a].median < excesses[b].median;
  });
  for (const std::size_t finalist : ranking.order) {
    const auto& [low, high] = excesses[finalist].interval;
    if (finalist != fastest && low > options.floor) continue;
    ranking.tied.push_back(finalist);
    ranking.settled = ranking.settled && high - low <= 2 * options.floor;
  }
  return ranking;
}

}  // namespace gtune
