#pragma once

#include <tuple>
#include <vector>

#include "store/records.hpp"

namespace gtune {

/// Of several winners of one problem and GPU model, the one with the least rank answers. GPUs
/// come before recordings of them, then cold times before other modes, then the fastest.
[[nodiscard]] inline std::tuple<bool, TimingMode, double> model_rank(const Winner& winner) {
  return {winner.device.replayed, winner.mode, winner.median_ms};
}
[[nodiscard]] inline std::tuple<bool, TimingMode, double> model_rank(const BestRow& row) {
  return {row.device.replayed, row.mode, row.best.measurement.timing->median_ms};
}

/// One winner for each problem and GPU model (device name), by model_rank: a GPU on which only a
/// few configurations were measured does not hide what another of its model found.
[[nodiscard]] std::vector<Winner> winners_of_models(const std::vector<Winner>& winners);

}  // namespace gtune
