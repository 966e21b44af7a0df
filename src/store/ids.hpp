#pragma once

#include <cstdint>

// Row numbers of the database, each a type of its own so that none is taken for another.
namespace gtune {

enum class DeviceId : std::int64_t {};
enum class ToolchainId : std::int64_t {};
enum class KernelId : std::int64_t {};
enum class ProblemId : std::int64_t {};
enum class RunId : std::int64_t {};
enum class MeasurementId : std::int64_t {};

}  // namespace gtune
