#pragma once

#include <stdexcept>
#include <string>

#include "gpu/stream.hpp"

namespace gtune {

/// A kernel exceeded its time limit. Only ending the process stops it.
class KernelTimeout : public std::runtime_error {
 public:
  /// `what`: names the kernel in the message; may be empty.
  explicit KernelTimeout(double limit_ms, const std::string& what = "");
};

/// Waits until the event is done. Throws KernelTimeout after `limit_ms`, CudaError if the work
/// before it failed.
void wait_for(const Event& event, double limit_ms);

}  // namespace gtune
