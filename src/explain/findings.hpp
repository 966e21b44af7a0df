#pragma once

#include <vector>

#include "explain/finding.hpp"
#include "explain/moves.hpp"
#include "explain/subject.hpp"

namespace gtune {

/// The findings of all rules: first what leaves little to gain, then what may save most, causes
/// before what bounds the kernel unless that may save much more; then unknown costs, and last rules
/// that seldom helped. `counted`: measurements with
/// metrics on the same device and problem, with or without the subject.
[[nodiscard]] std::vector<Finding> find_findings(const Subject& subject, const MoveContext& context,
                                                 const std::vector<Subject>& counted = {});

}  // namespace gtune
