#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/timing_mode.hpp"

namespace gtune {

/// Keeps the elements (with a `mode`) of the first timing mode that there is: cold ones if there
/// are any. Returns how many it removed.
template <typename T>
std::size_t keep_first_mode(std::vector<T>& times) {
  const auto first = std::min_element(times.begin(), times.end(),
                                      [](const T& a, const T& b) { return a.mode < b.mode; });
  if (first == times.end()) return 0;
  const TimingMode mode = first->mode;
  return std::erase_if(times, [&](const T& each) { return each.mode != mode; });
}

}  // namespace gtune
