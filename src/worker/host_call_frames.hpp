#pragma once

#include "system/frame.hpp"
#include "worker/host_reference.hpp"

namespace gtune {

/// What the process of a host reference is asked.
struct HostCall {
  std::vector<std::byte> shared_object;
  std::vector<HostArgument> arguments;
};

[[nodiscard]] Frame to_frame(const HostCall& call);
/// Throws FrameError where the frame is none of a call.
[[nodiscard]] HostCall host_call_from(const Frame& frame);

}  // namespace gtune
