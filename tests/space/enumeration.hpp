#pragma once

#include <numeric>

#include "space/enumerate.hpp"
#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_file.hpp"

namespace gtune {

inline const DeviceFacts& device() { return typical_device("sm_90"); }

inline Problem problem_of(const KernelSpec& spec) { return expand_problems(spec, {}).front(); }

inline std::uint64_t excluded_in_all(const Enumeration& result) {
  return std::accumulate(
      result.excluded.begin(), result.excluded.end(), std::uint64_t{0},
      [](std::uint64_t sum, const Exclusion& exclusion) { return sum + exclusion.combinations; });
}

}  // namespace gtune
