#pragma once

#include "explain/explain_report.hpp"

namespace gtune {

/// Static facts and metrics under their headings, and what is missing. Values that a finding rests
/// on are marked.
void add_values(Document& out, const Explanation& explanation);

/// Whether any metric has a value.
[[nodiscard]] bool has_metrics(const Subject& subject);

}  // namespace gtune
