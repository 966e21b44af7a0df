#pragma once

#include <map>
#include <string>
#include <vector>

#include "explain/finding.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"
#include "store/records.hpp"

namespace gtune {

/// Measured configurations by their text.
using SpeedIndex = std::map<std::string, const ConfigSpeed*>;

/// A configuration and other measurements.
struct MoveContext {
  const KernelSpec& spec;
  Case from;                                 // there are no moves if its configuration is empty
  const std::vector<ConfigSpeed>& measured;  // on the same device and problem
  const SpeedIndex* only_to;                 // of these; moves to others are left out. Null: to all
};

/// Changes of one parameter to its next higher or lower value that serve the goal. Effects on
/// launches come from the spec; effects on registers and spills from pairs of measured
/// configurations that differ only in this parameter. Returns a few, the fastest measured first.
[[nodiscard]] std::vector<Move> find_moves(const MoveContext& context, Goal goal);

}  // namespace gtune
