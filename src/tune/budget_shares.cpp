#include "tune/budget_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gtune {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();
constexpr std::size_t few = 32;  // measurements, too few to tell whether a search has converged

double best_of(const std::vector<Measurement>& measurements, std::size_t count) {
  double best = none;
  for (std::size_t i = 0; i < count; ++i) {
    if (measurements[i].ok()) best = std::min(best, measurements[i].timing->median_ms);
  }
  return best;
}

Budget scaled(const Budget& budget, double factor) {
  Budget out;
  out.may_end_early = budget.may_end_early;
  if (budget.seconds) out.seconds = *budget.seconds * factor;
  if (budget.configurations) {
    const double count = std::floor(static_cast<double>(*budget.configurations) * factor);
    out.configurations = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(count));
  }
  return out;
}

}  // namespace

Budget first_share(const Budget& each) { return scaled(each, 0.5); }

double late_gain(const std::vector<Measurement>& in_order) {
  const double best = best_of(in_order, in_order.size());
  const double early = best_of(in_order, in_order.size() / 2);
  if (best == none || early == none) return 1;
  return 1 - best / early;
}

double gain_of_few(std::size_t measurements) {
  return measurements < few ? 1.0 / static_cast<double>(measurements + 1) : 0.0;
}

Budget more_time(const Budget& budget, double seconds, std::uint64_t tried) {
  const double each = seconds / static_cast<double>(std::max<std::uint64_t>(1, tried));
  Budget more;
  more.seconds = std::ceil(std::max(2 * budget.seconds.value_or(0), each * few));
  return more;
}

std::vector<std::optional<Budget>> second_shares(const Budget& each,
                                                 const std::vector<double>& gains) {
  // In order of gain, highest first, so that the excess of one goes to those after it.
  std::vector<std::size_t> order(gains.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gains[a] > gains[b]; });
  double rest = 0.5 * static_cast<double>(gains.size());
  std::vector<std::optional<Budget>> shares(gains.size());
  for (auto place = order.begin(); place != order.end() && gains[*place] > 0; ++place) {
    const double left = std::accumulate(place, order.end(), 0.0,
                                        [&](double sum, std::size_t i) { return sum + gains[i]; });
    const double part = std::min(most_shares - 0.5, rest * gains[*place] / left);
    shares[*place] = scaled(each, 0.5 + part);
    rest = std::max(0.0, rest - part);
  }
  return shares;
}

}  // namespace gtune
