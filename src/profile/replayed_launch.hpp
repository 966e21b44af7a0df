#pragma once

#include <functional>

namespace gtune {

/// A launch that a profiler repeats.
struct ReplayedLaunch {
  std::function<void()> prepare;  // brings memory and caches to the state before the launch; waits
  std::function<void()> launch;   // launches once and waits
};

}  // namespace gtune
