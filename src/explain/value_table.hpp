#pragma once

#include <string>
#include <vector>

#include "explain/explain_report.hpp"

namespace gtune {

/// Adds static facts and metrics under their headings, and notes on missing ones. Evidence of
/// findings is marked.
void add_values(Document& out, const Explanation& explanation);

/// Notes missing metrics and how to get them.
void note_missing_metrics(Document& out, const Explanation& explanation);

/// The headings of values, in the order of ValueGroup.
[[nodiscard]] const std::vector<std::string>& value_headings();

/// Whether any metric other than step times has a value.
[[nodiscard]] bool has_metrics(const Subject& subject);

}  // namespace gtune
