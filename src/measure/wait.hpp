#pragma once

#include <stdexcept>

#include "gpu/stream.hpp"

namespace gtune {

/// A kernel ran longer than it may. It cannot be stopped but by ending the process.
class KernelTimeout : public std::runtime_error {
 public:
  explicit KernelTimeout(double limit_ms);
};

/// Waits until the event is done. Throws KernelTimeout after `limit_ms`, CudaError if the work
/// before it failed.
void wait_for(const Event& event, double limit_ms);

}  // namespace gtune
