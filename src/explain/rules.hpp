#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "explain/finding.hpp"
#include "explain/subject.hpp"
#include "explain/unit_use.hpp"

// The rules for findings. Each uses only stored metrics and static facts, and finds nothing if one
// that it needs is missing. docs/explain.md lists them with their thresholds.
namespace gtune {

/// The smallest cost worth reporting: smaller ones are within noise and the accuracy of the bounds.
inline constexpr double k_least_cost = 0.05;
/// A unit that is in use for less of the time does not bound a kernel; Nsight Compute's
/// SpeedOfLight rule then diagnoses latency.
inline constexpr double k_high_use = 0.6;
/// The size of a sector, the unit in which caches move data.
inline constexpr double k_sector_bytes = 32;

// The kernel's bottleneck.
/// Whether it moves the work's bytes about as fast as device memory can.
[[nodiscard]] bool is_as_fast_as_copies(const Subject& subject);
/// Units that work most of the time, and about as much as the busiest one.
[[nodiscard]] std::vector<Finding> unit_bounds(const Subject& subject);
/// The unit that a rule of unit_bounds is about; absent for other rules.
[[nodiscard]] std::optional<Unit> bounding_unit(std::string_view rule);
/// No unit works most of the time.
[[nodiscard]] std::optional<Finding> latency_bound(const Subject& subject);

// The run around the kernel.
/// Copies between host and device take most of the time.
[[nodiscard]] std::optional<Finding> transfer_bound(const Subject& subject);
/// Kernels take most of the time of a run that also copies.
[[nodiscard]] std::optional<Finding> kernels_bound(const Subject& subject);
/// Copies and kernels wait for one another, although they could run at the same time.
[[nodiscard]] std::optional<Finding> serial_steps(const Subject& subject);
/// Much of the time passes before and after the kernel.
[[nodiscard]] std::optional<Finding> launch_bound(const Subject& subject);

// Missing warps.
[[nodiscard]] std::optional<Finding> limited_occupancy(const Subject& subject);
/// SMs have places for more blocks than there are.
[[nodiscard]] std::optional<Finding> few_waves(const Subject& subject);
/// The last wave of blocks leaves places empty.
[[nodiscard]] std::optional<Finding> tail_wave(const Subject& subject);
[[nodiscard]] std::optional<Finding> divergence(const Subject& subject);

// Wasted memory traffic.
[[nodiscard]] std::optional<Finding> uncoalesced_loads(const Subject& subject);
[[nodiscard]] std::optional<Finding> uncoalesced_stores(const Subject& subject);
[[nodiscard]] std::optional<Finding> bank_conflicts(const Subject& subject);
/// Lanes whose atomics meet in a bank of shared memory.
[[nodiscard]] std::optional<Finding> shared_atomics(const Subject& subject);
[[nodiscard]] std::optional<Finding> spills(const Subject& subject);

/// Limits a finding's cost to the time in which no unit works but those of `relieved`, since the
/// change would leave all others as busy, and to what the roofline leaves. Absent if the remaining
/// cost is not worth reporting, or one of the others bounds the kernel.
[[nodiscard]] std::optional<Finding> with_units_kept(Finding finding, const Subject& subject,
                                                     std::span<const Unit> relieved);

}  // namespace gtune
