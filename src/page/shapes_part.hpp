#pragma once

#include <string>

#include "page/problem_record.hpp"

namespace gtune {

/// A sweep: every device and problem of a kernel with its best, against the fastest baseline, as a
/// map and a table. `id`: prefix of the ids of its elements.
[[nodiscard]] std::string shapes_part(const KernelRecord& record, const std::string& id);

}  // namespace gtune
