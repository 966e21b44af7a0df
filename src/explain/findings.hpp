#pragma once

#include <vector>

#include "explain/finding.hpp"
#include "explain/moves.hpp"
#include "explain/subject.hpp"

namespace gtune {

/// Of every rule, those that may save most first; unknown costs last.
[[nodiscard]] std::vector<Finding> find_findings(const Subject& subject,
                                                 const MoveContext& context);

}  // namespace gtune
