#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gtune {

/// A metric by the name that nvprof gave it, or that users say.
struct FamiliarMetric {
  std::string_view name;
  std::string_view help;
  /// CUPTI's names for it; the first that a chip has is the one.
  std::vector<std::string_view> metrics;
};

/// By subject: time, memory from far to near, warps, instructions.
[[nodiscard]] std::span<const FamiliarMetric> familiar_metrics();

/// The metrics that are taken by default: the names of all of them.
[[nodiscard]] std::vector<std::string> default_metrics();

/// Whether it is counted by instructions that CUPTI adds to the kernel, which then takes some
/// seventy times as long: efficiencies of accesses and branches.
[[nodiscard]] bool is_patched_in(std::string_view name);

/// Those of them that take a single pass: for many kernels.
[[nodiscard]] std::vector<std::string> quick_metrics();

/// Null where the name is none of them.
[[nodiscard]] const FamiliarMetric* find_familiar(std::string_view name);

}  // namespace gtune
