#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gtune {

/// The short name of a stall reason: "long_scoreboard" for CUPTI's
/// "smsp__pcsamp_warps_issue_stalled_long_scoreboard". Absent for names that end in "_not_issued",
/// whose samples CUPTI also counts under the name without it, and for other counts.
[[nodiscard]] std::optional<std::string> stall_reason(std::string_view cupti_name);

}  // namespace gtune
