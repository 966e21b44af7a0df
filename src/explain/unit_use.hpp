#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "explain/subject.hpp"

namespace gtune {

/// Parts of a GPU that can be what a kernel waits for.
enum class Unit { dram, l2, l1, fma, tensor, issue };

/// "device memory", "the FMA pipe", ...
[[nodiscard]] std::string_view to_string(Unit unit);

/// The share of the kernel's time in which a unit works, SMs without work included: 0..1. Absent
/// where a metric for it is missing.
[[nodiscard]] std::optional<double> unit_use(const Subject& subject, Unit unit);

struct UnitUse {
  Unit unit = Unit::dram;
  double share = 0;
};

/// Absent where nothing is known of any of them.
[[nodiscard]] std::optional<UnitUse> busiest_of(const Subject& subject,
                                                const std::vector<Unit>& units);

}  // namespace gtune
