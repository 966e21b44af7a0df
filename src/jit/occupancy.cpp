#include "jit/occupancy.hpp"

#include <cuda_occupancy.h>

#include <array>

namespace gtune {
namespace {

constexpr std::array<std::int64_t, 3> grid_limits = {2147483647, 65535, 65535};
constexpr std::array<std::int64_t, 3> block_limits = {1024, 1024, 64};
constexpr std::array<char, 3> axes = {'x', 'y', 'z'};

cudaOccDeviceProp device_properties(const DeviceFacts& device) {
  cudaOccDeviceProp properties;
  properties.computeMajor = device.cc_major;
  properties.computeMinor = device.cc_minor;
  properties.maxThreadsPerBlock = device.max_threads_per_block;
  properties.maxThreadsPerMultiprocessor = device.max_threads_per_sm;
  properties.regsPerBlock = device.registers_per_block;
  properties.regsPerMultiprocessor = device.registers_per_sm;
  properties.warpSize = device.warp_size;
  properties.sharedMemPerBlock = static_cast<std::size_t>(device.shared_per_block);
  properties.sharedMemPerMultiprocessor = static_cast<std::size_t>(device.shared_per_sm);
  properties.numSms = device.sm_count;
  properties.sharedMemPerBlockOptin = static_cast<std::size_t>(device.shared_per_block_optin);
  properties.reservedSharedMemPerBlock = static_cast<std::size_t>(device.reserved_shared_per_block);
  return properties;
}

cudaOccFuncAttributes function_attributes(const ResourceUsage& usage, const DeviceFacts& device) {
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = device.max_threads_per_block;
  attributes.numRegs = usage.registers;
  attributes.sharedSizeBytes = static_cast<std::size_t>(usage.static_shared_bytes);
  attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes =
      static_cast<std::size_t>(device.shared_per_block_optin - usage.static_shared_bytes);
  attributes.numBlockBarriers = 1;
  return attributes;
}

std::string limit_name(unsigned factors) {
  if ((factors & OCC_LIMIT_REGISTERS) != 0) return "registers";
  if ((factors & OCC_LIMIT_SHARED_MEMORY) != 0) return "shared memory";
  if ((factors & OCC_LIMIT_WARPS) != 0) return "block size";
  if ((factors & OCC_LIMIT_BLOCKS) != 0) return "blocks";
  return "other";
}

std::optional<std::string> why_no_cluster(const LaunchPlan& launch, const DeviceFacts& device) {
  constexpr int first_with_clusters = 90;
  constexpr std::int64_t most_blocks = 16;
  const std::int64_t blocks = launch.blocks_per_cluster();
  if (blocks == 1) return std::nullopt;
  if (device.cc() < first_with_clusters) {
    return "clusters need compute capability 9.0; the device has " +
           std::to_string(device.cc_major) + "." + std::to_string(device.cc_minor);
  }
  if (blocks > most_blocks) {
    return std::to_string(blocks) + " blocks per cluster; no device allows more than " +
           std::to_string(most_blocks);
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (launch.grid[i] % launch.cluster[i] == 0) continue;
    return "grid." + std::string(1, axes[i]) + " is " + std::to_string(launch.grid[i]) +
           ", which is not a multiple of the cluster's " + std::to_string(launch.cluster[i]);
  }
  return std::nullopt;
}

}  // namespace

ResourceUsage with_occupancy(ResourceUsage usage, const LaunchPlan& launch,
                             const DeviceFacts& device) {
  usage.dynamic_shared_bytes = launch.shared_bytes;
  const cudaOccDeviceProp properties = device_properties(device);
  const cudaOccFuncAttributes attributes = function_attributes(usage, device);
  cudaOccDeviceState state;
  if (launch.carveout >= 0) state.carveoutConfig = static_cast<int>(launch.carveout);
  cudaOccResult result{};
  const auto threads = static_cast<int>(launch.threads_per_block());
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, threads,
                                              static_cast<std::size_t>(launch.shared_bytes)) !=
      CUDA_OCC_SUCCESS) {
    return usage;
  }
  usage.blocks_per_sm = result.activeBlocksPerMultiprocessor;
  const int warps_per_block = (threads + device.warp_size - 1) / device.warp_size;
  const int warps_per_sm = device.max_threads_per_sm / device.warp_size;
  usage.theoretical_occupancy =
      static_cast<double>(usage.blocks_per_sm * warps_per_block) / warps_per_sm;
  usage.occupancy_limit = limit_name(result.limitingFactors);
  return usage;
}

std::optional<std::string> why_it_cannot_launch(const ResourceUsage& usage,
                                                const LaunchPlan& launch,
                                                const DeviceFacts& device) {
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  const std::int64_t threads = launch.threads_per_block();
  if (threads > device.max_threads_per_block) {
    return number(threads) + " threads per block; the device allows " +
           number(device.max_threads_per_block);
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (launch.block[i] < 1 || launch.grid[i] < 1) {
      return std::string("the ") + (launch.grid[i] < 1 ? "grid" : "block") + " is empty in " +
             axes[i];
    }
    if (launch.block[i] > block_limits[i]) {
      return "block." + std::string(1, axes[i]) + " is " + number(launch.block[i]) +
             "; the device allows " + number(block_limits[i]);
    }
    if (launch.grid[i] > grid_limits[i]) {
      return "grid." + std::string(1, axes[i]) + " is " + number(launch.grid[i]) +
             "; the device allows " + number(grid_limits[i]);
    }
  }
  const std::int64_t shared = usage.static_shared_bytes + launch.shared_bytes;
  if (shared > device.shared_per_block_optin) {
    return number(shared) + " bytes of shared memory per block; the device allows " +
           number(device.shared_per_block_optin);
  }
  const ResourceUsage occupied = with_occupancy(usage, launch, device);
  // If there is no limit, the chip is newer than the tables, and the launch is attempted.
  if (occupied.blocks_per_sm == 0 && !occupied.occupancy_limit.empty()) {
    return number(threads) + " threads of " + number(usage.registers) +
           " registers do not fit an SM's " + number(device.registers_per_sm);
  }
  const double resident = static_cast<double>(occupied.blocks_per_sm) * device.sm_count;
  if (launch.cooperative && !occupied.occupancy_limit.empty() && launch.blocks() > resident) {
    return number(static_cast<std::int64_t>(launch.blocks())) +
           " blocks of a cooperative launch; the device holds " +
           number(static_cast<std::int64_t>(resident)) + " at once";
  }
  return why_no_cluster(launch, device);
}

}  // namespace gtune
