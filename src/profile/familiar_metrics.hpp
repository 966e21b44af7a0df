#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gtune {

/// A metric under nvprof's name, or the name that users give it.
struct FamiliarMetric {
  std::string_view name;
  std::string_view help;
  /// CUPTI's names for it, of which the first that a chip has is used.
  std::vector<std::string_view> metrics;
};

/// Ordered by subject: time, memory from far to near, warps, instructions.
[[nodiscard]] std::span<const FamiliarMetric> familiar_metrics();

/// The metrics that are measured by default: the names of all familiar ones.
[[nodiscard]] std::vector<std::string> default_metrics();

/// Whether CUPTI counts this metric by instructions that it adds to the kernel, which then takes
/// about seventy times as long: efficiencies of accesses and branches.
[[nodiscard]] bool is_patched_in(std::string_view name);

/// Familiar metrics that take a single pass, for profiling many kernels.
[[nodiscard]] std::vector<std::string> quick_metrics();

/// Null if the name is not a familiar one.
[[nodiscard]] const FamiliarMetric* find_familiar(std::string_view name);

}  // namespace gtune
