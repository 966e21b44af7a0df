#pragma once

// The time model's text that exported headers share, as C++.
namespace gtune {

#define GTUNE_INLINE constexpr
#define GTUNE_CAST(type, value) static_cast<type>(value)
#include "model/expected_time.inc"
#undef GTUNE_CAST
#undef GTUNE_INLINE

}  // namespace gtune
