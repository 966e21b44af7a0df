#pragma once

#include "explain/explain_report.hpp"

namespace gtune {

/// Adds the findings, the most costly first, with evidence, advice and moves.
void add_findings(Document& out, const Explanation& explanation);

}  // namespace gtune
