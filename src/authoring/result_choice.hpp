#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "authoring/source_outline.hpp"

namespace gtune {

/// The values of a template parameter that selects what the kernel computes: 0 and 1 for
/// `bool TRANSPOSED`, those in `if constexpr (MODE == 2)`, in ascending order. Absent if it only
/// selects how, as `USE_SHARED` or `STAGES` do.
[[nodiscard]] std::optional<std::vector<std::int64_t>> result_choices(
    const TemplateParameter& parameter, const OutlinedKernel& kernel);

}  // namespace gtune
