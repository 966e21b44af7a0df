#include <cstdint>
#include <cstring>

#include "sgemm_dispatch.hpp"

// The kernel's template, then the instances that the header chooses among.
// clang-format off
#include "sgemm.cu"
#include "gtune_sgemm_dispatch.cuh"
// clang-format on

gtune_sgemm::Device current_device() {
  int index = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&index) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, index) != cudaSuccess) {
    return {};
  }
  const gtune_sgemm::Device known = gtune_sgemm::known_device(properties.name);
  if (known.dev_cc != 0) return known;
  gtune_sgemm::Device device;
  device.name = "";  // no name that was tuned: the nearest architecture answers
  device.dev_cc = properties.major * 10 + properties.minor;
  device.dev_sm_count = properties.multiProcessorCount;
  device.dev_max_threads = properties.maxThreadsPerBlock;
  device.dev_max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
  device.dev_max_blocks_per_sm = properties.maxBlocksPerMultiProcessor;
  device.dev_registers_per_block = properties.regsPerBlock;
  device.dev_warp_size = properties.warpSize;
  device.dev_l2_bytes = properties.l2CacheSize;
  device.dev_max_shared = static_cast<long long>(properties.sharedMemPerBlockOptin);
  device.dev_shared_per_sm = static_cast<long long>(properties.sharedMemPerMultiprocessor);
  device.dev_registers_per_sm = properties.regsPerMultiprocessor;
  return device;
}

/// Bytes of dynamic shared memory that any kernel may have.
constexpr unsigned shared_without_opt_in = 48 * 1024;

static gtune_sgemm::Problem problem_of(const Product& product) {
  return gtune_sgemm::problem(product.M, product.N, product.K);
}

static bool is_aligned(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}

static fp32::TileLayout layout_of(const Product& product, const gtune_sgemm::Config& config,
                                  const gtune_sgemm::Device& device) {
  const auto members = gtune_sgemm::struct_layout(problem_of(product), config, device);
  fp32::TileLayout layout;
  static_assert(sizeof layout == sizeof members, "the header is of this kernel");
  std::memcpy(&layout, &members, sizeof layout);
  return layout;
}

/// The problem by which the instance of a variant is chosen. An instance for sizes that the tiles
/// divide checks nothing, and takes matrices to be aligned to 16 bytes. Where they are not, a row
/// more stands for one that checks: it is right for any sizes and addresses.
static gtune_sgemm::Problem problem_of_instance(const Product& product, long long tile_rows) {
  const bool aligned = is_aligned(product.A) && is_aligned(product.B) && is_aligned(product.C);
  const bool one_more = !aligned && product.M % tile_rows == 0;
  return gtune_sgemm::problem(product.M + (one_more ? 1 : 0), product.N, product.K);
}

long long arrivals_needed(const Product& product, const gtune_sgemm::Selection& chosen,
                          const gtune_sgemm::Device& device) {
  return gtune_sgemm::workspace_arrivals(problem_of(product), gtune_sgemm::config(chosen.variant),
                                         device);
}

cudaError_t sgemm_with(const gtune_sgemm::Selection& chosen, const gtune_sgemm::Device& device,
                       const Product& product, int* arrivals, cudaStream_t stream) {
  if (chosen.variant < 0) return cudaErrorNotSupported;
  const gtune_sgemm::Config config = gtune_sgemm::config(chosen.variant);
  const gtune_sgemm::Launch launch = gtune_sgemm::launch(problem_of(product), config, device);
  const gtune_sgemm::Problem instance = problem_of_instance(product, config.BM);
  cudaError_t result = cudaSuccess;
  const bool compiled = gtune_sgemm::dispatch(instance, device, chosen.variant, [&](auto* kernel) {
    if (launch.shared_bytes > shared_without_opt_in) {
      result = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(launch.shared_bytes));
      if (result != cudaSuccess) return;
    }
    kernel<<<dim3(launch.grid[0], launch.grid[1], launch.grid[2]),
             dim3(launch.block[0], launch.block[1], launch.block[2]), launch.shared_bytes,
             stream>>>(product.M, product.N, product.K, 1.0f, product.A, product.K, product.B,
                       product.N, 0.0f, product.C, product.N, arrivals,
                       layout_of(product, config, device));
    result = cudaGetLastError();
  });
  return compiled ? result : cudaErrorNotSupported;
}
