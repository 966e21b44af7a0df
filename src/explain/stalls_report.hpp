#pragma once

#include <vector>

#include "explain/stall_findings.hpp"
#include "report/document.hpp"

namespace gtune {

/// "sgemm.cuh:120"; of files elsewhere, such as the toolkit's, only their name.
[[nodiscard]] std::string place_text(const std::string& file, int line);

/// Adds what the kernel waits for, where, and which parameters changed it.
void add_stalls(Document& out, const std::vector<StallFinding>& stalls);

}  // namespace gtune
