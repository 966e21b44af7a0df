#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "space/enumeration_plan.hpp"
#include "space/subtree_cache.hpp"

namespace gtune {

/// The result of a walk. `valid`: ascending ranks in the lexicographic order of all combinations.
/// `excluded`: the number of combinations that each constraint excluded.
struct WalkResult {
  std::vector<std::uint64_t> valid;
  std::vector<std::uint64_t> excluded;
};

/// Walks the planned levels depth first. Every node of the graph has a cell with its value, or its
/// bounds while parameters at deeper levels are open.
class EnumerationWalk {
 public:
  /// `slots`: bounds per slot; a parameter's span all of its values. `constraints`: their number.
  /// Keeps references to the first three arguments.
  EnumerationWalk(const ConstraintGraph& graph, const std::vector<Level>& levels,
                  const std::vector<Dimension>& dimensions, const std::vector<Interval>& slots,
                  std::size_t constraints);

  /// Estimates how many values the walk tries, as the mean of random descents (Knuth, Mathematics
  /// of Computation 29, 1975). Deterministic; ignores that subtrees repeat.
  [[nodiscard]] double estimated_tries();

  /// Call only once. Throws UserError (usage) if there are too many valid configurations.
  [[nodiscard]] WalkResult run();

 private:
  [[nodiscard]] Interval bounds_of(const Node& node) const;
  [[nodiscard]] Interval value_of(const Node& node) const;
  [[nodiscard]] bool passes(const Check& check);
  const Check* first_failed(const Level& level, std::int64_t value);
  [[nodiscard]] double tries_by_descent(std::mt19937& random);
  void enter(std::size_t depth, std::uint64_t rank);
  void walk_level(std::size_t depth, std::uint64_t rank);
  void add_valid(std::uint64_t rank);

  const ConstraintGraph& m_graph;
  const std::vector<Level>& m_levels;
  const std::vector<Dimension>& m_dimensions;
  std::vector<Interval> m_cells;               // per node
  std::vector<std::vector<Interval>> m_saved;  // per level: cells before it changed them
  std::vector<SubtreeCache> m_caches;          // per level
  std::vector<std::uint64_t> m_strides;        // per dimension
  WalkResult m_out;
};

}  // namespace gtune
