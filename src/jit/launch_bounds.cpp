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
constexpr auto most_threads_kind = std::byte{0x05};         // EIATTR_MAX_THREADS in cuobjdump -elf
constexpr auto block_kind = std::byte{0x10};                // EIATTR_REQNTID
constexpr auto cluster_kind = std::byte{0x3d};              // EIATTR_CTA_PER_CLUSTER
constexpr auto most_cluster_blocks_kind = std::byte{0x3f};  // EIATTR_MAX_CLUSTER_RANK

using Dimensions = std::array<std::int64_t, 3>;

std::int64_t product(const Dimensions& of) { return of[0] * of[1] * of[2]; }

/// Reads three 32-bit numbers; absent if no device could launch such a block or cluster.
std::optional<Dimensions> dimensions_in(Bytes value) {
  std::array<std::uint32_t, 3> numbers{};
  if (value.size() != sizeof numbers) return std::nullopt;
  std::memcpy(numbers.data(), value.data(), sizeof numbers);
  Dimensions dimensions{};
  std::int64_t all = 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    constexpr std::int64_t most = 1024;  // threads per block of any device; clusters are smaller
    dimensions.at(i) = numbers.at(i);
    if (dimensions.at(i) == 0 || dimensions.at(i) > most) return std::nullopt;
    all *= dimensions.at(i);
    if (all > most) return std::nullopt;
  }
  return dimensions;
}

std::optional<std::int64_t> number_in(Bytes value) {
  std::uint32_t number = 0;
  if (value.size() != sizeof number) return std::nullopt;
  std::memcpy(&number, value.data(), sizeof number);
  return number;
}

std::string text_of(const Dimensions& size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " +
         std::to_string(size[2]);
}

/// Adds what one attribute says, if it is a bound.
void add(LaunchBounds& bounds, std::byte kind, Bytes value) {
  const auto dimensions = dimensions_in(value);
  if (kind == most_cluster_blocks_kind) {
    bounds.most_cluster_blocks = number_in(value);
  } else if (dimensions && kind == most_threads_kind) {
    bounds.most_threads = product(*dimensions);
  } else if (dimensions && kind == block_kind) {
    bounds.block = dimensions;
  } else if (dimensions && kind == cluster_kind) {
    bounds.cluster = dimensions;
  }
}

/// For a kernel that is declared with this cluster size.
std::optional<std::string> why_not_in_clusters(const Dimensions& cluster,
                                               const LaunchPlan& launch) {
  const std::string declared = "the kernel's __cluster_dims__ are " + text_of(cluster);
  if (launch.blocks_per_cluster() > 1 && launch.cluster != cluster) {
    return "a cluster of " + text_of(launch.cluster) + " blocks; " + declared;
  }
  // The launch's own size is what asks the driver for more.
  if (launch.blocks_per_cluster() == 1 && product(cluster) > portable_cluster_blocks) {
    return declared + ", more than the " + std::to_string(portable_cluster_blocks) +
           " blocks that every device allows; expected the same 'cluster' in the launch";
  }
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    if (launch.grid[i] % cluster[i] == 0) continue;
    return "a grid of " + text_of(launch.grid) + " blocks, which is not a multiple; " + declared;
  }
  return std::nullopt;
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
    add(bounds, rest[1], rest.subspan(head_bytes, bytes));
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
  if (bounds.most_cluster_blocks && launch.blocks_per_cluster() > *bounds.most_cluster_blocks) {
    return std::to_string(launch.blocks_per_cluster()) +
           " blocks per cluster; the kernel's __launch_bounds__ allow " +
           std::to_string(*bounds.most_cluster_blocks);
  }
  if (bounds.cluster) return why_not_in_clusters(*bounds.cluster, launch);
  return std::nullopt;
}

}  // namespace gtune
