#include "authoring/device_memory.hpp"

#include <fmt/format.h>

#include <variant>

namespace gtune {
namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

double bytes_in(const BufferPlan& buffer) {
  return static_cast<double>(buffer.count) * static_cast<double>(size_of(buffer.type));
}

}  // namespace

std::optional<BufferBeyondMemory> buffer_beyond_memory(const std::vector<ArgumentPlan>& arguments,
                                                       const DeviceFacts& device) {
  const auto most = static_cast<double>(device.memory_bytes);
  double total = 0;
  for (const ArgumentPlan& argument : arguments) {
    const auto* buffer = std::get_if<BufferPlan>(&argument);
    if (buffer == nullptr || buffer->memory != MemoryKind::device) continue;
    const bool is_first = total == 0;
    total += bytes_in(*buffer);
    if (total <= most) continue;
    const std::string with = is_first ? "" : " with the buffers before it";
    return {{buffer->name, fmt::format("buffer '{}' takes {:.0f} GiB{}; the device has {:.0f} GiB",
                                       buffer->name, total / gib, with, most / gib)}};
  }
  return std::nullopt;
}

}  // namespace gtune
