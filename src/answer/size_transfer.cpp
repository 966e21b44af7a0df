#include "answer/size_transfer.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "model/problem_distance.hpp"

namespace gtune {
namespace {

std::vector<std::int64_t> values_of(const NamedValues& named) {
  std::vector<std::int64_t> values;
  for (const auto& [name, value] : named.entries()) values.push_back(value);
  return values;
}

}  // namespace

std::vector<std::size_t> by_distance(const std::vector<const Problem*>& problems,
                                     const Problem& to) {
  std::vector<double> apart;
  for (const Problem* problem : problems) apart.push_back(distance(*problem, to));
  std::vector<std::size_t> places(problems.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    if (apart[a] != apart[b]) return apart[a] < apart[b];
    return values_of(*problems[a]) < values_of(*problems[b]);
  });
  return places;
}

std::vector<Config> near_configs(const std::vector<const Problem*>& problems, const Problem& to,
                                 const std::function<const Config*(std::size_t)>& won_at) {
  std::size_t near = 0;
  std::vector<Config> configs;
  for (const std::size_t place : by_distance(problems, to)) {
    const Config* config = won_at(place);
    if (config == nullptr) continue;
    if (std::find(configs.begin(), configs.end(), *config) == configs.end()) {
      configs.push_back(*config);
    }
    if (++near == near_problems) break;
  }
  return configs;
}

std::optional<std::size_t> expected_fastest(const std::vector<ConfigTime>& measured,
                                            const WorkGrowth& growth) {
  std::optional<std::size_t> best;
  std::tuple<double, double, std::vector<std::int64_t>> least;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const auto grown = growth(measured[i].config);
    if (!grown) continue;
    // In these steps, as exported headers take them: the same bits, and so the same choice.
    const double expected_ms = measured[i].median_ms * *grown;
    std::tuple key(expected_ms, measured[i].median_ms, values_of(measured[i].config));
    if (best && !(key < least)) continue;
    best = i;
    least = std::move(key);
  }
  return best;
}

}  // namespace gtune
