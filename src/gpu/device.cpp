#include "gpu/device.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <utility>

#include "gpu/cuda_error.hpp"
#include "gpu/nvml.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string out = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    out += hex;
  }
  return out;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

}  // namespace

int count_devices() {
  // A failed call leaves it unchanged.
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorInsufficientDriver) {
    throw UserError(ExitCode::no_device,
                    "no NVIDIA driver on this machine, or one older than this program's CUDA "
                    "runtime");
  }
  if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0)) {
    throw UserError(ExitCode::no_device,
                    "no CUDA device on this machine (is CUDA_VISIBLE_DEVICES set?)");
  }
  if (error != cudaSuccess) {
    throw UserError(ExitCode::no_device, CudaError(error, "the CUDA runtime cannot start").what());
  }
  return count;
}

DeviceFacts read_device(int index) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  DeviceFacts facts;
  facts.name = properties.name;
  facts.uuid = uuid_text(properties.uuid);
  facts.cc_major = properties.major;
  facts.cc_minor = properties.minor;
  facts.sm_count = properties.multiProcessorCount;
  facts.warp_size = properties.warpSize;
  facts.max_threads_per_block = properties.maxThreadsPerBlock;
  facts.max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
  facts.max_blocks_per_sm = properties.maxBlocksPerMultiProcessor;
  facts.registers_per_block = properties.regsPerBlock;
  facts.registers_per_sm = properties.regsPerMultiprocessor;
  facts.shared_per_block = static_cast<std::int64_t>(properties.sharedMemPerBlock);
  facts.shared_per_block_optin = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
  facts.shared_per_sm = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
  facts.reserved_shared_per_block = static_cast<std::int64_t>(properties.reservedSharedMemPerBlock);
  facts.l2_bytes = properties.l2CacheSize;
  facts.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  facts.max_sm_clock_mhz = attribute(cudaDevAttrClockRate, index) / 1000;
  facts.max_memory_clock_mhz = attribute(cudaDevAttrMemoryClockRate, index) / 1000;
  facts.memory_bus_bits = properties.memoryBusWidth;
  facts.driver_version =
      nvml_driver_version().value_or("CUDA " + cuda_driver_version().value_or("unknown"));
  facts.runtime_version = cuda_runtime_version();
  return facts;
}

std::vector<DeviceFacts> list_devices() {
  std::vector<DeviceFacts> devices;
  const int count = count_devices();
  for (int index = 0; index < count; ++index) devices.push_back(read_device(index));
  return devices;
}

std::string cuda_runtime_version() {
  int version = 0;
  check_cuda(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  return version_text(version);
}

std::optional<std::string> cuda_driver_version() {
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0) return std::nullopt;
  return version_text(version);
}

void require_device(int index, std::size_t count) {
  if (index < 0 || std::cmp_greater_equal(index, count)) {
    throw UserError(ExitCode::no_device, "no device " + std::to_string(index) +
                                             ": this machine has " + std::to_string(count) +
                                             " (see gtune devices)");
  }
}

DeviceFacts find_device(const std::vector<DeviceFacts>& devices, int index) {
  require_device(index, devices.size());
  return devices[static_cast<std::size_t>(index)];
}

}  // namespace gtune
