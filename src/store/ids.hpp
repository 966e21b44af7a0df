#pragma once

#include <cstdint>

// Row ids of the database. Each table has its own type, so that ids cannot be mixed up.
namespace gtune {

enum class DeviceId : std::int64_t {};
enum class ToolchainId : std::int64_t {};
enum class KernelId : std::int64_t {};
enum class ProblemId : std::int64_t {};
enum class RunId : std::int64_t {};
enum class MeasurementId : std::int64_t {};

}  // namespace gtune
