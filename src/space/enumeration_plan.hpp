#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "space/constraint_graph.hpp"
#include "space/search_space.hpp"

namespace gtune {

/// A condition to check once a parameter has its value.
struct Check {
  std::uint32_t root = 0;
  std::size_t constraint = 0;
  std::vector<std::uint32_t> exact;   // nodes to compute whose values become known here
  std::vector<std::uint32_t> bounds;  // nodes to compute that only have bounds yet
};

/// The parameter at one depth of the enumeration.
struct Level {
  std::size_t dimension = 0;           // the parameter's index in the spec
  std::vector<std::uint32_t> leaves;   // the parameter's node; empty if no condition names it
  std::vector<Check> checks;           // cheap ones first
  std::vector<std::uint32_t> touched;  // every node that the level computes
  std::vector<std::uint32_t> needed;   // nodes known above that this level or a deeper one reads
  std::uint64_t below = 1;             // combinations of the parameters at deeper levels
};

/// The parameters in the order in which they get their values, by index.
using ParameterOrder = std::vector<std::size_t>;

/// Two orders, either of which may be far faster: one in which conditions are decided early, and
/// the spec's, where authors tend to list first what others depend on. `first_slot`: the slot of
/// the first dimension.
[[nodiscard]] std::array<ParameterOrder, 2> possible_orders(
    const ConstraintGraph& graph, const std::vector<Dimension>& dimensions, std::size_t first_slot);

/// Lists the work at each depth.
[[nodiscard]] std::vector<Level> plan_enumeration(const ConstraintGraph& graph,
                                                  const std::vector<Dimension>& dimensions,
                                                  std::size_t first_slot, ParameterOrder order);

}  // namespace gtune
