#pragma once

#include <string>
#include <vector>

#include "explain/parameter_changes.hpp"
#include "report/document.hpp"

namespace gtune {

/// One row for each change.
[[nodiscard]] Table changes_table(const std::vector<ParameterChange>& changes);

/// "12.3 % less time (this configuration)", "the same time (4 measured pairs of others)"
[[nodiscard]] std::string time_change_text(const ParameterChange& change);

}  // namespace gtune
