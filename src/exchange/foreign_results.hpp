#pragma once

#include <string>

#include "exchange/recorded_space.hpp"

namespace gtune {

/// Converts a cache file of Kernel Tuner (github.com/KernelTuner/kernel_tuner): an object "cache"
/// with a member per configuration. Throws std::invalid_argument or json::exception.
[[nodiscard]] RecordedSpace from_kernel_tuner_cache(const nlohmann::json& in, std::string name);

/// Converts results in the T4 form (see t4_result.hpp). Throws the same exceptions.
[[nodiscard]] RecordedSpace from_t4_results(const nlohmann::json& in, std::string name);

}  // namespace gtune
