#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "explain/subject.hpp"

namespace gtune {

/// Parts of a GPU that can bound a kernel.
enum class Unit { dram, l2, atomics, l1, lsu, texture, fma, alu, fp64, xu, tensor, issue };

/// "device memory", "the FMA pipe", ...
[[nodiscard]] std::string_view to_string(Unit unit);

/// The metric from which its use is known: "dram_throughput", ...
[[nodiscard]] std::string_view metric_of(Unit unit);

/// The share of the kernel's time in which a unit works, idle SMs included: 0..1. Absent if a
/// metric for it is missing.
[[nodiscard]] std::optional<double> unit_use(const Subject& subject, Unit unit);

/// The milliseconds of the kernel's time in which it works.
[[nodiscard]] std::optional<double> busy_ms(const Subject& subject, Unit unit);

struct UnitUse {
  Unit unit = Unit::dram;
  double share = 0;
};

/// The use of every unit that is known.
[[nodiscard]] std::vector<UnitUse> unit_uses(const Subject& subject);

/// The busiest unit but for those in `left_out`; absent if none is known.
[[nodiscard]] std::optional<UnitUse> busiest_unit(const Subject& subject,
                                                  std::span<const Unit> left_out);

}  // namespace gtune
