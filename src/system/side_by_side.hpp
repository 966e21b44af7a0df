#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace gtune {

/// The number of threads that this machine runs at a time; at least 1.
[[nodiscard]] std::size_t hardware_threads();

/// Calls `work` with every number below `count`, on several threads. An exception in one sets
/// `stop`, which ends the others, and is rethrown when all have ended.
void work_side_by_side(std::size_t count, std::size_t threads, std::atomic<bool>& stop,
                       const std::function<void(std::size_t)>& work);

/// The same on all threads of this machine.
void work_side_by_side(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace gtune
