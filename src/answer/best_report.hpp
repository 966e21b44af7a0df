#pragma once

#include <vector>

#include "answer/answer.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// What is known to be best, a block for each device and problem; in CSV a row.
[[nodiscard]] Document best_report(const KernelSpec& spec, const std::vector<Answer>& answers);

}  // namespace gtune
