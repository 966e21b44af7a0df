#pragma once

#include <tuple>

#include "model/measurement.hpp"

namespace gtune {

/// Of two equally fast configurations, the one to prefer: fewer registers, then less shared
/// memory. It leaves more of the SM to whatever runs beside it, and is the likelier one to
/// stay fast at another size.
[[nodiscard]] inline bool simpler(const ResourceUsage& a, const ResourceUsage& b) {
  const auto needs = [](const ResourceUsage& usage) {
    return std::tuple(usage.registers, usage.static_shared_bytes + usage.dynamic_shared_bytes);
  };
  return needs(a) < needs(b);
}

}  // namespace gtune
