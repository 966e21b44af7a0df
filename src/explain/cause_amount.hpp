#pragma once

#include <optional>
#include <string_view>

#include "explain/subject.hpp"

namespace gtune {

/// How much a measured kernel has of what a rule's findings are about, in a unit of the rule's own:
/// conflicts, a wasted share, milliseconds in which a unit works. It hardly depends on what else
/// the kernel does, so it says which of two configurations of a problem has less of a cause,
/// whether or not the rule finds it there. Absent if a metric is missing, and for rules without
/// such a cause: latency_bound, and those about the run around a kernel.
[[nodiscard]] std::optional<double> amount_of(std::string_view rule, const Subject& subject);

}  // namespace gtune
