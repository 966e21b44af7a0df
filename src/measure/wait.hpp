#pragma once

#include <stdexcept>
#include <string>

#include "gpu/stream.hpp"

namespace gtune {

/// A kernel ran longer than it may. It cannot be stopped but by ending the process.
class KernelTimeout : public std::runtime_error {
 public:
  /// `what` did not end.
  explicit KernelTimeout(double limit_ms, const std::string& what = "");
};

/// Waits until the event is done. Throws KernelTimeout after `limit_ms`, CudaError if the work
/// before it failed.
void wait_for(const Event& event, double limit_ms);

}  // namespace gtune
