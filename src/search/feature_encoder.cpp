#include "search/feature_encoder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "model/value_word.hpp"

namespace gtune {

namespace {

constexpr std::size_t most_sampled = 256;  // configurations, for the ranges of amounts

/// Words have no order; a list 0, 1, 2, ... numbers alternatives.
bool names_variants(const std::vector<std::int64_t>& values) {
  if (values.size() < 3) return false;
  if (std::ranges::max(values) >= first_word_value) return true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::cmp_not_equal(values[i], i)) return false;
  }
  return true;
}

/// How often two divides each value, scaled to 0..1. Empty if the position in the list says the
/// same, or nothing differs. Zero counts as the most divisible of the others.
std::vector<double> divisibility_by_two(const std::vector<std::int64_t>& values) {
  std::vector<double> twos;
  double least = INFINITY;
  double most = 0;
  bool powers_of_two = true;  // or zero
  for (const std::int64_t value : values) {
    const auto bits = static_cast<std::uint64_t>(value);
    twos.push_back(value == 0 ? INFINITY : static_cast<double>(std::countr_zero(bits)));
    if (value == 0) continue;
    least = std::min(least, twos.back());
    most = std::max(most, twos.back());
    powers_of_two = powers_of_two && std::has_single_bit(bits);
  }
  if (values.size() < 3 || powers_of_two || least == most) return {};
  for (double& count : twos) count = (std::min(count, most) - least) / (most - least);
  return twos;
}

}  // namespace

FeatureEncoder::FeatureEncoder(const SearchSpace& space, ConfigAmounts amounts)
    : m_space(space), m_amounts(std::move(amounts)) {
  const auto& dimensions = space.dimensions();
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::size_t values = dimensions[d].values.size();
    if (values < 2) continue;
    const bool variants = names_variants(dimensions[d].values);
    auto divisibility =
        variants ? std::vector<double>{} : divisibility_by_two(dimensions[d].values);
    m_groups.insert(m_groups.end(), variants ? values : 1, m_group_count++);
    if (!divisibility.empty()) m_groups.push_back(m_group_count++);
    m_columns.push_back({d, values, variants, std::move(divisibility)});
  }
  if (m_amounts && space.size() > 0) add_amounts();
}

void FeatureEncoder::add_amounts() {
  const std::size_t sampled = std::min(m_space.size(), most_sampled);
  std::vector<double> least;
  std::vector<double> most;
  for (std::size_t i = 0; i < sampled; ++i) {
    const std::vector<double> amounts = m_amounts(m_space.config(i * m_space.size() / sampled));
    if (i == 0) least = most = amounts;
    for (std::size_t a = 0; a < amounts.size(); ++a) {
      least[a] = std::min(least[a], amounts[a]);
      most[a] = std::max(most[a], amounts[a]);
    }
  }
  for (std::size_t a = 0; a < least.size(); ++a) {
    if (least[a] == most[a]) continue;
    m_groups.push_back(m_group_count++);
    m_amount_columns.push_back({a, least[a], most[a] - least[a]});
  }
}

void FeatureEncoder::append_amounts(std::size_t index, std::vector<double>& features) const {
  const auto [known, is_new] = m_known_amounts.try_emplace(index);
  if (is_new) known->second = m_amounts(m_space.config(index));
  for (const AmountColumn& column : m_amount_columns) {
    features.push_back((known->second[column.which] - column.least) / column.range);
  }
}

std::vector<double> FeatureEncoder::encode(std::size_t index) const {
  const std::span<const std::uint16_t> coordinates = m_space.coordinates(index);
  std::vector<double> features;
  features.reserve(m_groups.size());
  for (const Columns& columns : m_columns) {
    const std::size_t position = coordinates[columns.dimension];
    if (!columns.variants) {
      features.push_back(static_cast<double>(position) / static_cast<double>(columns.values - 1));
      if (!columns.divisibility.empty()) features.push_back(columns.divisibility[position]);
      continue;
    }
    // Two alternatives differ in two columns, so their distance is 1, like the ends of a list.
    for (std::size_t value = 0; value < columns.values; ++value) {
      features.push_back(value == position ? 1 / std::numbers::sqrt2 : 0);
    }
  }
  if (!m_amount_columns.empty()) append_amounts(index, features);
  return features;
}

std::vector<std::size_t> FeatureEncoder::varying_dimensions() const {
  std::vector<std::size_t> dimensions;
  for (const Columns& columns : m_columns) dimensions.push_back(columns.dimension);
  return dimensions;
}

}  // namespace gtune
