#pragma once

#include <string>

#include "exchange/recorded_space.hpp"

namespace gtune {

/// The cache file of Kernel Tuner (github.com/KernelTuner/kernel_tuner): an object "cache" with
/// a member per configuration. Throws std::invalid_argument or json::exception.
[[nodiscard]] RecordedSpace from_kernel_tuner_cache(const nlohmann::json& in, std::string name);

/// Results in the T4 form (see t4_result.hpp). Throws alike.
[[nodiscard]] RecordedSpace from_t4_results(const nlohmann::json& in, std::string name);

}  // namespace gtune
