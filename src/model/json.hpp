#pragma once

#include <exception>
#include <optional>

#include "model/checked_json.hpp"
#include "model/device_facts.hpp"
#include "model/energy_use.hpp"
#include "model/kernel_identity.hpp"
#include "model/measurement.hpp"
#include "model/metric.hpp"
#include "model/objective.hpp"
#include "model/plan.hpp"

// JSON forms of the shared values, for messages between processes and for recordings.
// nlohmann finds these functions by name. Reading a wrong form throws nlohmann::json::exception or
// std::invalid_argument.

namespace nlohmann {

/// An absent value is null.
template <typename T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& out, const std::optional<T>& value) {
    out = value ? json(*value) : json(nullptr);
  }
  static void from_json(const json& in, std::optional<T>& value) {
    value = in.is_null() ? std::optional<T>() : std::optional<T>(in.get<T>());
  }
};

}  // namespace nlohmann

namespace gtune {

/// Serializes a value whose strings may hold any bytes, such as file names or a process's output.
/// Invalid UTF-8 becomes U+FFFD, where dump() would throw.
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indent = -1);

/// The mistake in a JSON text, for the user: the text of an exception, without nlohmann's codes.
[[nodiscard]] std::string json_fault(const std::exception& error);

/// A number, or the word that stands for one (see model/value_word.hpp).
[[nodiscard]] nlohmann::json value_json(std::int64_t value);
[[nodiscard]] std::int64_t value_from(const nlohmann::json& in);

void to_json(nlohmann::json& out, const NamedValues& values);
void from_json(const nlohmann::json& in, NamedValues& values);
void to_json(nlohmann::json& out, const TimingMode& mode);
void from_json(const nlohmann::json& in, TimingMode& mode);
void to_json(nlohmann::json& out, Status status);
void from_json(const nlohmann::json& in, Status& status);
void to_json(nlohmann::json& out, Objective objective);
void from_json(const nlohmann::json& in, Objective& objective);
void to_json(nlohmann::json& out, const ElementProgram& program);
void from_json(const nlohmann::json& in, ElementProgram& program);
void to_json(nlohmann::json& out, const ArgumentPlan& argument);
void from_json(const nlohmann::json& in, ArgumentPlan& argument);
void to_json(nlohmann::json& out, const StepPlan& step);
void from_json(const nlohmann::json& in, StepPlan& step);
/// A missing key is a limit that is not known: older programs measured fewer.
void to_json(nlohmann::json& out, const DeviceLimits& limits);
void from_json(const nlohmann::json& in, DeviceLimits& limits);
/// The limits are keys beside the other facts.
void to_json(nlohmann::json& out, const DeviceFacts& facts);
void from_json(const nlohmann::json& in, DeviceFacts& facts);

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ResourceUsage, registers, stack_bytes, spill_store_bytes,
                                   spill_load_bytes, static_shared_bytes, dynamic_shared_bytes,
                                   cubin_bytes, blocks_per_sm, theoretical_occupancy,
                                   occupancy_limit)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timing, samples_ms, median_ms, min_ms, p95_ms, mean_ms,
                                   ci_low_ms, ci_high_ms, sm_clock_mhz, throttled_samples, mode,
                                   converged, discarded_early)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StepTime, name, ms)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Metric, name, value, unit, reason)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EnergyUse, energy_mj, power_w, launches, seconds, updates)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelIdentity, name, source_hash, spec_hash, problem_names,
                                   parameter_names)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Toolchain, driver, runtime, nvrtc, cupti, gtune)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchPlan, grid, block, shared_bytes, cooperative, programmatic,
                                   cluster, carveout)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PassedArgument, index, offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BufferRange, buffer, offset, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ComparePlan, output, step, arguments)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OutputCheck, name, rtol, atol, may_differ, count, where,
                                   by_entry)

}  // namespace gtune
