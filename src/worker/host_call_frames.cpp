#include "worker/host_call_frames.hpp"

#include <span>

#include "model/json.hpp"

namespace gtune {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostArgument, name, is_buffer, is_written)

Frame to_frame(const HostCall& call) {
  std::vector<std::size_t> sizes = {call.shared_object.size()};
  Frame frame{{{"arguments", call.arguments}}, call.shared_object};
  for (const HostArgument& argument : call.arguments) {
    sizes.push_back(argument.bytes.size());
    frame.blob.insert(frame.blob.end(), argument.bytes.begin(), argument.bytes.end());
  }
  frame.header["sizes"] = sizes;
  return frame;
}

HostCall host_call_from(const Frame& frame) {
  HostCall call{{}, frame.header.at("arguments").get<std::vector<HostArgument>>()};
  const auto sizes = frame.header.at("sizes").get<std::vector<std::size_t>>();
  std::span<const std::byte> rest = frame.blob;
  const auto take = [&](std::size_t size) {
    if (size > rest.size()) throw FrameError(FrameError::Kind::garbage, "sizes that do not fit");
    const auto part = rest.first(size);
    rest = rest.subspan(size);
    return std::vector<std::byte>(part.begin(), part.end());
  };
  if (sizes.size() != call.arguments.size() + 1) {
    throw FrameError(FrameError::Kind::garbage, "sizes that do not fit");
  }
  call.shared_object = take(sizes[0]);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    call.arguments[i].bytes = take(sizes[i + 1]);
  }
  return call;
}

}  // namespace gtune
