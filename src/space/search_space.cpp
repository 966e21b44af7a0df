#include "space/search_space.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <stdexcept>

namespace gtune {
namespace {

std::uint64_t hash_of(std::span<const std::uint16_t> row) {
  std::uint64_t hash = 0x9E3779B97F4A7C15U;
  for (const std::uint16_t coordinate : row) {
    hash = (hash ^ coordinate) * 0xD6E8FEB86659FD93U;
    hash ^= hash >> 32U;
  }
  return hash;
}

std::optional<std::uint16_t> position_of(const Dimension& dimension, std::int64_t value) {
  const auto found = std::find(dimension.values.begin(), dimension.values.end(), value);
  if (found == dimension.values.end()) return std::nullopt;
  return static_cast<std::uint16_t>(found - dimension.values.begin());
}

/// The parameters of the first configuration, each with all values that occur, ascending.
std::vector<Dimension> dimensions_of(std::span<const Config> configs) {
  std::vector<Dimension> dimensions;
  if (configs.empty()) return dimensions;
  for (const auto& [name, unused] : configs.front().entries()) {
    std::set<std::int64_t> values;
    for (const Config& config : configs) {
      const auto value = config.find(name);
      if (!value || config.entries().size() != configs.front().entries().size()) {
        throw std::invalid_argument("the configurations do not have the same parameters");
      }
      values.insert(*value);
    }
    dimensions.push_back({name, {values.begin(), values.end()}});
  }
  return dimensions;
}

}  // namespace

SearchSpace::SearchSpace(std::vector<Dimension> dimensions, std::vector<std::uint16_t> coordinates)
    : m_dimensions(std::move(dimensions)), m_coordinates(std::move(coordinates)) {
  const std::size_t width = m_dimensions.size();
  if (width == 0 ? !m_coordinates.empty() : m_coordinates.size() % width != 0) {
    throw std::invalid_argument("a row of the space has not one coordinate per dimension");
  }
  m_size = width == 0 ? 0 : m_coordinates.size() / width;
  if (m_size >= std::numeric_limits<std::uint32_t>::max() / 2) {
    throw std::invalid_argument("the space is too large");
  }
  for (std::size_t i = 0; i < m_coordinates.size(); ++i) {
    if (m_coordinates[i] >= m_dimensions[i % width].values.size()) {
      throw std::invalid_argument("a row of the space lies outside of its dimensions");
    }
  }
  index_rows();
}

void SearchSpace::index_rows() {
  m_buckets.assign(std::bit_ceil(2 * m_size + 1), 0);  // at most half full
  const std::size_t mask = m_buckets.size() - 1;
  for (std::size_t row = 0; row < m_size; ++row) {
    std::size_t at = hash_of(coordinates(row)) & mask;
    for (; m_buckets[at] != 0; at = (at + 1) & mask) {
      if (std::ranges::equal(coordinates(m_buckets[at] - 1), coordinates(row))) {
        throw std::invalid_argument("a row of the space occurs twice");
      }
    }
    m_buckets[at] = static_cast<std::uint32_t>(row + 1);
  }
}

SearchSpace SearchSpace::from_configs(std::span<const Config> configs) {
  std::vector<Dimension> dimensions = dimensions_of(configs);
  std::set<std::vector<std::uint16_t>> seen;
  std::vector<std::uint16_t> coordinates;
  for (const Config& config : configs) {
    std::vector<std::uint16_t> row;
    for (const Dimension& dimension : dimensions) {
      row.push_back(*position_of(dimension, *config.find(dimension.name)));
    }
    if (seen.insert(row).second) coordinates.insert(coordinates.end(), row.begin(), row.end());
  }
  return {std::move(dimensions), std::move(coordinates)};
}

Config SearchSpace::config(std::size_t index) const {
  Config config;
  const auto row = coordinates(index);
  for (std::size_t d = 0; d < m_dimensions.size(); ++d) {
    config.set(m_dimensions[d].name, m_dimensions[d].values[row[d]]);
  }
  return config;
}

std::optional<std::size_t> SearchSpace::index_of(const Config& config) const {
  if (config.entries().size() != m_dimensions.size()) return std::nullopt;
  std::vector<std::uint16_t> row;
  for (const Dimension& dimension : m_dimensions) {
    const auto value = config.find(dimension.name);
    const auto position = value ? position_of(dimension, *value) : std::nullopt;
    if (!position) return std::nullopt;
    row.push_back(*position);
  }
  return find(row);
}

std::optional<std::size_t> SearchSpace::find(std::span<const std::uint16_t> row) const {
  if (row.size() != m_dimensions.size() || m_size == 0) return std::nullopt;
  const std::size_t mask = m_buckets.size() - 1;
  for (std::size_t at = hash_of(row) & mask; m_buckets[at] != 0; at = (at + 1) & mask) {
    const std::size_t candidate = m_buckets[at] - 1;
    if (std::ranges::equal(coordinates(candidate), row)) return candidate;
  }
  return std::nullopt;
}

std::vector<std::size_t> SearchSpace::neighbours(std::size_t index,
                                                 Neighbourhood neighbourhood) const {
  const auto own = coordinates(index);
  std::vector<std::uint16_t> row(own.begin(), own.end());
  std::vector<std::size_t> out;
  for (std::size_t d = 0; d < row.size(); ++d) {
    const std::size_t count = m_dimensions[d].values.size();
    const bool adjacent = neighbourhood == Neighbourhood::adjacent;
    const std::size_t first = !adjacent || own[d] == 0 ? 0 : own[d] - std::size_t{1};
    const std::size_t last = adjacent ? std::min(count, own[d] + std::size_t{2}) : count;
    for (std::size_t value = first; value < last; ++value) {
      if (value == own[d]) continue;
      row[d] = static_cast<std::uint16_t>(value);
      if (const auto found = find(row)) out.push_back(*found);
    }
    row[d] = own[d];
  }
  return out;
}

}  // namespace gtune
