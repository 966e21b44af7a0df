#pragma once

#include <cstdint>
#include <vector>

#include "space/enumeration_plan.hpp"
#include "space/subtree_cache.hpp"

namespace gtune {

/// What a walk found: ranks in the lexicographic order of all combinations, ascending, and how
/// many combinations each constraint excluded.
struct WalkResult {
  std::vector<std::uint64_t> valid;
  std::vector<std::uint64_t> excluded;
};

/// Walks the planned levels depth first. Every node of the graph has a cell with its value, or
/// bounds of it while parameters further down are open.
class EnumerationWalk {
 public:
  /// `slots`: bounds of every slot; those of parameters span their values.
  EnumerationWalk(const ConstraintGraph& graph, const std::vector<Level>& levels,
                  const std::vector<Dimension>& dimensions, const std::vector<Interval>& slots,
                  std::size_t constraints);

  /// One use. Throws UserError (usage) where there are too many.
  [[nodiscard]] WalkResult run();

 private:
  [[nodiscard]] Interval bounds_of(const Node& node) const;
  [[nodiscard]] Interval value_of(const Node& node) const;
  [[nodiscard]] bool passes(const Check& check);
  void enter(std::size_t depth, std::uint64_t rank);
  void walk_level(std::size_t depth, std::uint64_t rank);
  void add_valid(std::uint64_t rank);

  const ConstraintGraph& m_graph;
  const std::vector<Level>& m_levels;
  const std::vector<Dimension>& m_dimensions;
  std::vector<Interval> m_cells;               // per node
  std::vector<std::vector<Interval>> m_saved;  // per level: cells as they were above it
  std::vector<SubtreeCache> m_caches;          // per level
  std::vector<std::uint64_t> m_strides;        // per dimension
  WalkResult m_out;
};

}  // namespace gtune
