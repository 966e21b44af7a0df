#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/named_values.hpp"

namespace gtune {

/// A parameter of a space and its values, in the spec's order.
struct Dimension {
  std::string name;
  std::vector<std::int64_t> values;
};

/// Amounts of a configuration besides its parameters on which its time depends, such as the blocks
/// of its launch; of each configuration the same ones. May be empty.
using ConfigAmounts = std::function<std::vector<double>(const Config& config)>;

/// adjacent: the next entries up and down in the parameter's list. any: all other entries.
enum class Neighbourhood { adjacent, any };

/// A list of configurations, each a row of value indices, one per dimension.
class SearchSpace {
 public:
  SearchSpace() = default;
  /// `coordinates`: row after row. Throws std::invalid_argument for rows that are incomplete,
  /// repeated or outside the dimensions.
  SearchSpace(std::vector<Dimension> dimensions, std::vector<std::uint16_t> coordinates);
  /// The space of exactly these configurations, without repetitions. All must have the same
  /// parameters; throws std::invalid_argument otherwise.
  [[nodiscard]] static SearchSpace from_configs(std::span<const Config> configs);

  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] const std::vector<Dimension>& dimensions() const { return m_dimensions; }
  [[nodiscard]] Config config(std::size_t index) const;
  /// Absent if the configuration is not in the space.
  [[nodiscard]] std::optional<std::size_t> index_of(const Config& config) const;
  /// A row: an index into each dimension's values.
  [[nodiscard]] std::span<const std::uint16_t> coordinates(std::size_t index) const {
    return {m_coordinates.data() + index * m_dimensions.size(), m_dimensions.size()};
  }
  [[nodiscard]] std::optional<std::size_t> find(std::span<const std::uint16_t> row) const;
  /// Indices of the configurations that differ in exactly one parameter, in a fixed order.
  [[nodiscard]] std::vector<std::size_t> neighbours(std::size_t index,
                                                    Neighbourhood neighbourhood) const;

 private:
  void index_rows();

  std::vector<Dimension> m_dimensions;
  std::vector<std::uint16_t> m_coordinates;
  std::size_t m_size = 0;
  std::vector<std::uint32_t> m_buckets;  // open addressing: row + 1; 0 is free
};

}  // namespace gtune
