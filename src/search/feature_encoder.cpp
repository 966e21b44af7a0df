#include "search/feature_encoder.hpp"

#include <algorithm>
#include <numbers>

#include "model/value_word.hpp"

namespace gtune {

namespace {

/// Words have no order; 0, 1, 2, ... are numbers of variants.
bool names_variants(const std::vector<std::int64_t>& values) {
  if (values.size() < 3) return false;
  if (std::ranges::max(values) >= first_word_value) return true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

}  // namespace

FeatureEncoder::FeatureEncoder(const SearchSpace& space) : m_space(space) {
  const auto& dimensions = space.dimensions();
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::size_t values = dimensions[d].values.size();
    if (values < 2) continue;
    const bool variants = names_variants(dimensions[d].values);
    m_groups.insert(m_groups.end(), variants ? values : 1, m_columns.size());
    m_columns.push_back({d, values, variants});
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
      continue;
    }
    // Two different variants differ in two columns: at distance 1, as the ends of a list are.
    for (std::size_t value = 0; value < columns.values; ++value) {
      features.push_back(value == position ? 1 / std::numbers::sqrt2 : 0);
    }
  }
  return features;
}

std::vector<std::size_t> FeatureEncoder::varying_dimensions() const {
  std::vector<std::size_t> dimensions;
  for (const Columns& columns : m_columns) dimensions.push_back(columns.dimension);
  return dimensions;
}

}  // namespace gtune
