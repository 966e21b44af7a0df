#pragma once

#include <vector>

#include "explain/source_texts.hpp"
#include "model/line_profile.hpp"
#include "report/document.hpp"

namespace gtune {

/// A table for each of the kernel's own files: the text around its lines with the most samples,
/// with each line's share of all samples and its main stall reason.
[[nodiscard]] std::vector<Table> annotated_source(const LineProfile& profile,
                                                  const SourceTexts& texts);

}  // namespace gtune
