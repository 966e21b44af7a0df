#pragma once

#include <tuple>

#include "model/measurement.hpp"

namespace gtune {

/// Whether `a` is preferable to an equally fast `b`: it has fewer registers, or else less shared
/// memory. It leaves more of the SM to concurrent work and more likely stays fast at other sizes.
[[nodiscard]] inline bool simpler(const ResourceUsage& a, const ResourceUsage& b) {
  const auto needs = [](const ResourceUsage& usage) {
    return std::tuple(usage.registers, usage.static_shared_bytes + usage.dynamic_shared_bytes);
  };
  return needs(a) < needs(b);
}

}  // namespace gtune
