#pragma once

#include <cstdint>
#include <vector>

#include "space/constraint_graph.hpp"
#include "space/search_space.hpp"

namespace gtune {

/// A condition to look at once a parameter has its value.
struct Check {
  std::uint32_t root = 0;
  std::size_t constraint = 0;
  std::vector<std::uint32_t> exact;   // nodes to compute that are known from now on
  std::vector<std::uint32_t> bounds;  // nodes to compute of which only bounds are known
};

/// One parameter of the enumeration, at its depth.
struct Level {
  std::size_t dimension = 0;           // its place in the spec
  std::vector<std::uint32_t> leaves;   // its nodes: one, or none where no condition names it
  std::vector<Check> checks;           // cheap ones first
  std::vector<std::uint32_t> touched;  // every node that the level computes
  std::vector<std::uint32_t> needed;   // nodes known before that this level or a later one reads
  std::uint64_t below = 1;             // combinations of the parameters further down
};

/// The order in which parameters get values, such that conditions are decided early, and what
/// there is to compute at each depth. `first_slot`: slot of the first dimension.
[[nodiscard]] std::vector<Level> plan_enumeration(const ConstraintGraph& graph,
                                                  const std::vector<Dimension>& dimensions,
                                                  std::size_t first_slot);

}  // namespace gtune
