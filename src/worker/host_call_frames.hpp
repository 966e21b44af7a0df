#pragma once

#include "system/frame.hpp"
#include "worker/host_reference.hpp"

namespace gtune {

/// A request to the process of a host reference.
struct HostCall {
  std::vector<std::byte> shared_object;
  std::vector<HostArgument> arguments;
};

[[nodiscard]] Frame to_frame(const HostCall& call);
/// Throws FrameError or nlohmann::json::exception if the frame is not a call.
[[nodiscard]] HostCall host_call_from(const Frame& frame);

}  // namespace gtune
