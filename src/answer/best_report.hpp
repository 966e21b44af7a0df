#pragma once

#include <vector>

#include "answer/answer.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// The best known configurations: a block for each answer, in CSV a row.
[[nodiscard]] Document best_report(const KernelSpec& spec, const std::vector<Answer>& answers);

/// The same for text, if there are several: a row for each answer. Leaves out when and with which
/// versions they were measured.
[[nodiscard]] Document best_table(const KernelSpec& spec, const std::vector<Answer>& answers);

}  // namespace gtune
