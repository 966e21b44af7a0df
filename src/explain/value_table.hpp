#pragma once

#include "explain/explain_report.hpp"

namespace gtune {

/// Adds static facts and metrics under their headings, and notes on missing ones. Evidence of
/// findings is marked.
void add_values(Document& out, const Explanation& explanation);

/// Whether any metric other than step times has a value.
[[nodiscard]] bool has_metrics(const Subject& subject);

}  // namespace gtune
