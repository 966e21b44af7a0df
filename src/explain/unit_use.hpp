#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "explain/subject.hpp"

namespace gtune {

/// Parts of a GPU that can bound a kernel.
enum class Unit { dram, l2, l1, fma, tensor, issue };

/// "device memory", "the FMA pipe", ...
[[nodiscard]] std::string_view to_string(Unit unit);

/// The share of the kernel's time in which a unit works, idle SMs included: 0..1. Absent if a
/// metric for it is missing.
[[nodiscard]] std::optional<double> unit_use(const Subject& subject, Unit unit);

struct UnitUse {
  Unit unit = Unit::dram;
  double share = 0;
};

/// The busiest of `units`; absent if none is known.
[[nodiscard]] std::optional<UnitUse> busiest_of(const Subject& subject,
                                                const std::vector<Unit>& units);

}  // namespace gtune
