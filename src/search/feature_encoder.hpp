#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "space/search_space.hpp"

namespace gtune {

/// Turns configurations into points for a model that thinks in distances.
///
/// A parameter with amounts (tile sizes, unroll factors) is one column: the position in its
/// list, scaled to 0..1. Lists are written in the steps that matter, so the position says more
/// than the value. A list 0, 1, 2, ... of three or more names variants of the code, which have
/// no order: one column per value, all equally far apart. Parameters with one value are left
/// out.
class FeatureEncoder {
 public:
  explicit FeatureEncoder(const SearchSpace& space);

  /// Features of configuration `index`, one per column.
  [[nodiscard]] std::vector<double> encode(std::size_t index) const;
  /// The parameter that each column belongs to, counted from 0 over those with columns.
  [[nodiscard]] const std::vector<std::size_t>& groups() const { return m_groups; }
  [[nodiscard]] std::size_t group_count() const { return m_columns.size(); }
  /// Dimensions of the space that have more than one value.
  [[nodiscard]] std::vector<std::size_t> varying_dimensions() const;

 private:
  struct Columns {
    std::size_t dimension;
    std::size_t values;
    bool variants;
  };

  const SearchSpace& m_space;
  std::vector<Columns> m_columns;
  std::vector<std::size_t> m_groups;
};

}  // namespace gtune
