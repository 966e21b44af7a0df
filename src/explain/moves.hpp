#pragma once

#include <vector>

#include "explain/finding.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"
#include "store/records.hpp"

namespace gtune {

/// A configuration, and what was measured beside it.
struct MoveContext {
  const KernelSpec& spec;
  Case from;                                 // without a configuration: none to move away from
  const std::vector<ConfigSpeed>& measured;  // on the same device and problem
};

/// Steps of one parameter to its next value up or down that serve the goal. Launches follow from
/// the spec; registers and spills from pairs of measured configurations that differ in this
/// parameter alone. Those that were measured fastest come first, a few.
[[nodiscard]] std::vector<Move> find_moves(const MoveContext& context, Goal goal);

}  // namespace gtune
