#pragma once

#include <optional>
#include <string>

#include "model/device_facts.hpp"
#include "model/measurement.hpp"
#include "model/metric.hpp"

// Which measurements are possible. Every source of measurements is checked here: a worker's reply,
// a recording, an import, a merge, the database. Each function returns the reason, in one line, if
// a value is impossible, and nothing if it is possible.
namespace gtune {

/// No time is below a nanosecond, which no timer resolves, or above a day, which no run waits for.
inline constexpr double k_shortest_ms = 1e-6;
inline constexpr double k_longest_ms = 24 * 3600 * 1e3;
/// More samples of one kernel than any rule takes.
inline constexpr std::size_t k_most_samples = 1'000'000;

/// Samples, and numbers that follow from them. A timing without samples, as T4 results may have it,
/// is one number.
[[nodiscard]] std::optional<std::string> why_impossible(const Timing& timing);
[[nodiscard]] std::optional<std::string> why_impossible(const ResourceUsage& usage);
/// What is `ok` was timed, and was right. NaN in compile_ms and gpu_ms: not known.
[[nodiscard]] std::optional<std::string> why_impossible(const Measurement& measurement);
[[nodiscard]] std::optional<std::string> why_impossible(const Metric& metric);

/// Zero stands for what is not known, as of the device of T4 results.
[[nodiscard]] std::optional<std::string> why_impossible(const DeviceFacts& device);
/// Of a device that is to be tuned on: nothing may be unknown that launches are planned with.
[[nodiscard]] std::optional<std::string> why_unusable(const DeviceFacts& device);
/// A limit that was measured, of arithmetic or memory.
[[nodiscard]] std::optional<std::string> why_impossible_limits(std::optional<double> fma_tflops,
                                                               std::optional<double> dram_gbps);

/// The reason of a configuration whose worker sent an impossible reply. The worker is at fault:
/// another run measures the configuration again.
[[nodiscard]] std::string impossible_answer(const std::string& why);
[[nodiscard]] bool is_impossible_answer(const Measurement& measurement);

}  // namespace gtune
