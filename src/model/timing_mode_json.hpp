#pragma once

#include "model/json.hpp"

namespace gtune {

/// The timing mode in a file's JSON object; older files only say whether L2 was flushed. Throws as
/// reading any JSON form does.
[[nodiscard]] inline TimingMode timing_mode_in(const nlohmann::json& in) {
  if (in.contains("timing")) return in.at("timing").get<TimingMode>();
  return {in.at("l2_flushed").get<bool>() ? LaunchOrder::cold : LaunchOrder::warm};
}

}  // namespace gtune
