#pragma once

#include <optional>
#include <string>

#include "model/device_facts.hpp"
#include "model/energy_use.hpp"
#include "model/line_profile.hpp"
#include "model/measurement.hpp"
#include "model/metric.hpp"

// Plausibility checks for every source of measurements: workers' replies, recordings, imports,
// merges and the database. Each why_ function returns a one-line reason if a value is impossible.
namespace gtune {

/// Timers do not resolve times below a nanosecond, and no run waits longer than a day.
inline constexpr double k_shortest_ms = 1e-6;
inline constexpr double k_longest_ms = 24 * 3600 * 1e3;
/// FLOP or bytes of a launch; no device does as much.
inline constexpr double k_most_work = 1e24;
/// More samples of one kernel than any stopping rule takes.
inline constexpr std::size_t k_most_samples = 1'000'000;

/// Checks samples and the statistics that follow from them. A timing without samples, as in some T4
/// results, counts as one sample: its median.
[[nodiscard]] std::optional<std::string> why_impossible(const Timing& timing);
[[nodiscard]] std::optional<std::string> why_impossible(const ResourceUsage& usage);
/// A measurement with status `ok` must have a timing and an error within tolerance. NaN in
/// compile_ms or gpu_ms means unknown.
[[nodiscard]] std::optional<std::string> why_impossible(const Measurement& measurement);
[[nodiscard]] std::optional<std::string> why_impossible(const Metric& metric);
[[nodiscard]] std::optional<std::string> why_impossible(const EnergyUse& use);
[[nodiscard]] std::optional<std::string> why_impossible(const LineProfile& profile);

/// Zero means unknown, as for the device of T4 results.
[[nodiscard]] std::optional<std::string> why_impossible(const DeviceFacts& device);
/// The same for a device to tune on: also requires the facts from which launches are planned.
[[nodiscard]] std::optional<std::string> why_unusable(const DeviceFacts& device);
/// Absent limits pass.
[[nodiscard]] std::optional<std::string> why_impossible(const DeviceLimits& limits);

/// The reason to store for a configuration whose worker sent an impossible reply. The worker is at
/// fault, so another run measures the configuration again.
[[nodiscard]] std::string impossible_answer(const std::string& why);
[[nodiscard]] bool is_impossible_answer(const Measurement& measurement);

}  // namespace gtune
