#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "space/search_space.hpp"

namespace gtune {

/// Turns configurations into points for a model based on distances.
///
/// A parameter with amounts (tile sizes, unroll factors) is one column: the position in its
/// list, scaled to 0..1. Lists are written in the steps that matter, so the position says more
/// than the value. Hardware likes multiples of 32 and powers of two, which the position does not
/// show in a list such as 16, 32, 48, 64: there, a second column says how often two divides the
/// value. A list of three or more words, or of 0, 1, 2, ..., names alternatives of the code, which
/// have no order: one column per value, all equally far apart. Parameters with one value are left
/// out. Amounts that the configurations of the space differ in are a column each, too, scaled to
/// 0..1 over a sample of the space: a launch's blocks and threads depend on several parameters, and
/// a distance between parameters does not show it.
class FeatureEncoder {
 public:
  explicit FeatureEncoder(const SearchSpace& space, ConfigAmounts amounts = {});

  /// Features of configuration `index`, one per column.
  [[nodiscard]] std::vector<double> encode(std::size_t index) const;
  /// The group of each column, counted from 0: the columns of a group share a length scale.
  [[nodiscard]] const std::vector<std::size_t>& groups() const { return m_groups; }
  [[nodiscard]] std::size_t group_count() const { return m_group_count; }
  /// Dimensions of the space that have more than one value.
  [[nodiscard]] std::vector<std::size_t> varying_dimensions() const;

 private:
  struct Columns {
    std::size_t dimension;
    std::size_t values;
    bool variants;
    std::vector<double> divisibility;  // of each value, 0..1; empty: no column
  };

  /// An amount and the range that it is scaled by.
  struct AmountColumn {
    std::size_t which;
    double least;
    double range;
  };

  void add_amounts();
  void append_amounts(std::size_t index, std::vector<double>& features) const;

  const SearchSpace& m_space;
  ConfigAmounts m_amounts;
  std::vector<Columns> m_columns;
  std::vector<AmountColumn> m_amount_columns;
  /// Encoded already: a spec's expressions take longer than the rest.
  mutable std::unordered_map<std::size_t, std::vector<double>> m_known_amounts;
  std::vector<std::size_t> m_groups;
  std::size_t m_group_count = 0;
};

}  // namespace gtune
