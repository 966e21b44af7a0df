#pragma once

#include <vector>

#include "store/records.hpp"

namespace gtune {

/// One winner for each problem and model of GPU (device name). GPUs come before recordings of them,
/// then a flushed L2 cache before a warm one, then the fastest: a GPU on which only a few
/// configurations were measured does not hide what another of its model found.
[[nodiscard]] std::vector<Winner> winners_of_models(const std::vector<Winner>& winners);

}  // namespace gtune
