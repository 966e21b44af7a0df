#pragma once

#include <string_view>

namespace gtune {

/// What a warp with this stall reason waits for, in a few words; empty for an unknown reason.
[[nodiscard]] std::string_view words_of_stall(std::string_view reason);

}  // namespace gtune
