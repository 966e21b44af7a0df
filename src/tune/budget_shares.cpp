#include "tune/budget_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gtune {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

double best_of(const std::vector<Measurement>& measurements, std::size_t count) {
  double best = none;
  for (std::size_t i = 0; i < count; ++i) {
    if (measurements[i].ok()) best = std::min(best, measurements[i].timing->median_ms);
  }
  return best;
}

Budget scaled(const Budget& budget, double factor) {
  Budget out;
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

std::vector<std::optional<Budget>> second_shares(const Budget& each,
                                                 const std::vector<double>& gains) {
  const double sum = std::accumulate(gains.begin(), gains.end(), 0.0);
  const double rest = 0.5 * static_cast<double>(gains.size());
  std::vector<std::optional<Budget>> shares;
  for (const double gain : gains) {
    shares.emplace_back();
    if (gain > 0) shares.back() = scaled(each, std::min(most_shares, 0.5 + rest * gain / sum));
  }
  return shares;
}

}  // namespace gtune
