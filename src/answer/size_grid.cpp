#include "answer/size_grid.hpp"

#include <algorithm>
#include <cmath>

namespace gtune {
namespace {

constexpr int nodes_of_an_axis = 5;         // as in gtune_spot_of
constexpr std::size_t least_problems = 16;  // fewer say little about others
constexpr double least_range = 2;           // octaves
/// Above this correlation, a size counts as one that follows from another: pitches from widths.
constexpr double most_correlation = 0.98;
/// Where a measurement counts by a quarter.
constexpr double reach = 2;  // octaves
/// As much as one measurement at the node says that there is nothing to correct.
constexpr double weight_of_none = 1;
/// A launch counts as slower by this share where nothing was measured, by half of it where it was
/// measured once, and so on. The same share again falls with the number of all its measurements: a
/// launch with few may have been stored only where it won.
constexpr double doubt_of_none = 0.3;

std::int16_t thousandths(double factor) {
  return static_cast<std::int16_t>(std::lround(1000 * std::clamp(factor, 0.1, 10.0)) - 1000);
}

/// The inverse of gtune_octave.
std::int64_t size_at(double octave) {
  const double whole = std::floor(octave);
  return std::llround(std::exp2(whole) * (1 + octave - whole));
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum_a = 0, sum_b = 0, sum_ab = 0, sum_aa = 0, sum_bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum_a += a[i];
    sum_b += b[i];
    sum_ab += a[i] * b[i];
    sum_aa += a[i] * a[i];
    sum_bb += b[i] * b[i];
  }
  const auto n = static_cast<double>(a.size());
  const double scale = std::sqrt((n * sum_aa - sum_a * sum_a) * (n * sum_bb - sum_b * sum_b));
  return scale > 0 ? (n * sum_ab - sum_a * sum_b) / scale : 0;
}

std::vector<double> octaves_of(const std::vector<Problem>& problems, const std::string& size) {
  std::vector<double> all;
  for (const Problem& problem : problems) {
    all.push_back(gtune_octave(problem.find(size).value_or(1)));
  }
  return all;
}

}  // namespace

SizeGrid::SizeGrid(const KernelSpec& spec, const std::vector<Problem>& problems) {
  if (problems.size() < least_problems) return;
  std::vector<std::vector<double>> taken;
  for (std::size_t i = 0; i < spec.sizes.size() && taken.size() < m_axes.size(); ++i) {
    std::vector<double> octaves = octaves_of(problems, spec.sizes[i].name);
    const auto [low, high] = std::minmax_element(octaves.begin(), octaves.end());
    if (*high - *low < least_range) continue;
    const bool follows = std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
      return correlation(octaves, other) > most_correlation;
    });
    if (follows) continue;
    m_axes[taken.size()] = {static_cast<int>(i), *low, (nodes_of_an_axis - 1) / (*high - *low)};
    m_sizes.push_back(spec.sizes[i].name);
    taken.push_back(std::move(octaves));
  }
}

std::size_t SizeGrid::nodes() const {
  std::size_t nodes = 1;
  for (std::size_t i = 0; i < m_sizes.size(); ++i) nodes *= nodes_of_an_axis;
  return nodes;
}

SizeGrid::Octaves SizeGrid::octaves(const Problem& problem) const {
  Octaves octaves{};
  for (std::size_t i = 0; i < m_sizes.size(); ++i) {
    octaves[i] = gtune_octave(problem.find(m_sizes[i]).value_or(1));
  }
  return octaves;
}

gtune_spot SizeGrid::spot(const Problem& problem) const {
  return gtune_spot_of(m_axes.data(), octaves(problem).data());
}

std::optional<NamedValues> SizeGrid::sizes_in_cell(std::size_t node,
                                                   const std::array<double, 3>& along) const {
  NamedValues sizes;
  for (std::size_t i = m_sizes.size(); i-- > 0; node /= nodes_of_an_axis) {
    const std::size_t step = node % nodes_of_an_axis;
    if (step + 1 == nodes_of_an_axis) return std::nullopt;
    const double nodes = static_cast<double>(step) + along[i];
    sizes.set(m_sizes[i], size_at(m_axes[i].first + nodes / m_axes[i].nodes_per_octave));
  }
  return sizes;
}

std::vector<double> SizeGrid::nearness(const Problem& problem) const {
  const Octaves there = octaves(problem);
  std::vector<double> all;
  for (std::size_t node = 0; node < nodes(); ++node) {
    double squared = 0;
    std::size_t rest = node;
    for (std::size_t i = m_sizes.size(); i-- > 0; rest /= nodes_of_an_axis) {
      const auto step = static_cast<double>(rest % nodes_of_an_axis);
      const double apart = m_axes[i].first + step / m_axes[i].nodes_per_octave - there[i];
      squared += apart * apart;
    }
    const double near = 1 / (1 + squared / (reach * reach));
    all.push_back(near * near);
  }
  return all;
}

void Corrections::add(const std::vector<double>& nearness, double measured_ms, double expected_ms) {
  const double off = std::log(measured_ms / expected_ms);
  for (std::size_t i = 0; i < m_sum.size(); ++i) {
    m_sum[i] += nearness[i] * off;
    m_weight[i] += nearness[i];
  }
  ++m_count;
}

NodeFactors Corrections::factors() const {
  NodeFactors factors{{}, {}};
  // With one node, everything was measured nearby.
  const double doubt_of_all =
      m_sum.size() > 1 ? doubt_of_none / (1 + static_cast<double>(m_count)) : 0;
  for (std::size_t i = 0; i < m_sum.size(); ++i) {
    const double weight = m_weight[i] + weight_of_none;
    const double expected = std::exp(m_sum[i] / weight);
    factors.expected.push_back(thousandths(expected));
    factors.compared.push_back(thousandths(expected * (1 + doubt_of_none / weight + doubt_of_all)));
  }
  return factors;
}

}  // namespace gtune
