#include "jit/launch_bounds.hpp"

#include <cstring>

#include "jit/elf_objects.hpp"

namespace gtune {
namespace {

using Bytes = std::span<const std::byte>;

// A section .nv.info.KERNEL is a list of attributes. Each has a byte for its format, one for its
// kind, and 16 bits of value, which for the sized format are the number of bytes that follow.
constexpr std::size_t head_bytes = 4;
constexpr auto sized_format = std::byte{0x04};
constexpr auto most_threads_kind = std::byte{0x05};  // EIATTR_MAX_THREADS in cuobjdump -elf
constexpr auto block_kind = std::byte{0x10};         // EIATTR_REQNTID

/// Reads three 32-bit numbers; absent if no device could launch such a block.
std::optional<std::array<std::int64_t, 3>> dimensions_in(Bytes value) {
  std::array<std::uint32_t, 3> numbers{};
  if (value.size() != sizeof numbers) return std::nullopt;
  std::memcpy(numbers.data(), value.data(), sizeof numbers);
  std::array<std::int64_t, 3> dimensions{};
  std::int64_t threads = 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    constexpr std::int64_t most = 1024;  // threads per block of any device
    dimensions.at(i) = numbers.at(i);
    if (dimensions.at(i) == 0 || dimensions.at(i) > most) return std::nullopt;
    threads *= dimensions.at(i);
    if (threads > most) return std::nullopt;
  }
  return dimensions;
}

std::string text_of(const std::array<std::int64_t, 3>& block) {
  return std::to_string(block[0]) + " x " + std::to_string(block[1]) + " x " +
         std::to_string(block[2]);
}

}  // namespace

LaunchBounds launch_bounds_in(Bytes cubin, const std::string& name) {
  LaunchBounds bounds;
  Bytes rest = elf_section(cubin, ".nv.info." + name);
  while (rest.size() >= head_bytes) {
    std::uint16_t size = 0;
    std::memcpy(&size, rest.data() + 2, sizeof size);
    const std::size_t bytes = rest[0] == sized_format ? size : 0;
    if (bytes > rest.size() - head_bytes) break;
    const auto dimensions = dimensions_in(rest.subspan(head_bytes, bytes));
    if (dimensions && rest[1] == most_threads_kind) {
      bounds.most_threads = (*dimensions)[0] * (*dimensions)[1] * (*dimensions)[2];
    } else if (dimensions && rest[1] == block_kind) {
      bounds.block = dimensions;
    }
    rest = rest.subspan(head_bytes + bytes);
  }
  return bounds;
}

std::optional<std::string> why_out_of_bounds(const LaunchBounds& bounds, const LaunchPlan& launch) {
  const std::int64_t threads = launch.threads_per_block();
  if (bounds.most_threads && threads > *bounds.most_threads) {
    return std::to_string(threads) + " threads per block; the kernel's __launch_bounds__ allow " +
           std::to_string(*bounds.most_threads);
  }
  if (bounds.block && launch.block != *bounds.block) {
    return "a block of " + text_of(launch.block) + " threads; the kernel's __block_size__ is " +
           text_of(*bounds.block);
  }
  return std::nullopt;
}

}  // namespace gtune
