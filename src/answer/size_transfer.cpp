#include "answer/size_transfer.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "model/problem_distance.hpp"
#include "spec/evaluate.hpp"

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

std::vector<std::size_t> nearest_few(const std::vector<const Problem*>& problems,
                                     const Problem& to) {
  std::vector<std::size_t> places = by_distance(problems, to);
  places.resize(std::min(places.size(), near_problems));
  return places;
}

std::optional<double> padded_growth(const KernelSpec& spec, const Config& config,
                                    const Problem& from, const Problem& to,
                                    const DeviceFacts& device) {
  if (!satisfies(spec, to, config, device)) return std::nullopt;
  const auto there = padded_work(spec, to, config, device);
  const auto here = padded_work(spec, from, config, device);
  if (!there || !here) return std::nullopt;
  return *there / *here;
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
