#include "gpu/limits.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "gpu/cuda_error.hpp"

namespace gtune {
namespace {

constexpr int repeats = 7;

/// The fastest of a few runs: a limit is what the device reaches undisturbed.
double fastest_ms(const Stream& stream, const std::function<void()>& work) {
  Event start;
  Event stop;
  double best = 0;
  for (int i = 0; i < repeats; ++i) {
    start.record(stream);
    work();
    stop.record(stream);
    check_cuda(cudaEventSynchronize(stop.get()), "kernel");
    const double ms = elapsed_ms(start, stop);
    best = i == 0 ? ms : std::min(best, ms);
  }
  return best;
}

/// Work per second; `work` queues it and returns how much it is.
double best_rate(const Stream& stream, const std::function<double()>& work) {
  double amount = 0;
  const double ms = fastest_ms(stream, [&] { amount = work(); });
  return amount / (ms * 1e-3);
}

double measure_fma_tflops(const DeviceFacts& device, SupportKernels& kernels,
                          const Stream& stream) {
  const int blocks = device.sm_count * (device.max_threads_per_sm / 256);
  return best_rate(stream, [&] { return kernels.fma_chains(blocks, 200); }) * 1e-12;
}

double measure_tensor_tflops(const DeviceFacts& device, SupportKernels& kernels,
                             const Stream& stream) {
  const int blocks =
      device.sm_count * 2;  // as many as the registers of the wgmma kernel leave room for
  return best_rate(stream, [&] { return kernels.tensor_products(blocks, 400); }) * 1e-12;
}

/// As many blocks of the kernels that read caches as the SMs hold, so that all get equally many.
int reading_blocks(const DeviceFacts& device) {
  const int per_sm = device.max_threads_per_sm / SupportKernels::reading_threads;
  return device.sm_count * std::max(per_sm, 1);
}

/// The footprint is at most a quarter of L2, which fits into one partition of an L2 that has two.
/// The first run, and the bytes that are set, bring it there.
double measure_l2_gbps(const DeviceFacts& device, SupportKernels& kernels, const Stream& stream) {
  const DeviceBuffer data(
      std::bit_floor(static_cast<std::size_t>(std::max<std::int64_t>(device.l2_bytes / 4, 16))));
  check_cuda(cudaMemset(data.data(), 1, data.size()), "cudaMemset");
  const int blocks = reading_blocks(device);
  return best_rate(stream, [&] { return kernels.read_l2(data, blocks, 512); }) * 1e-9;
}

/// Each block reads 16 KiB, of which an SM holds one or two: any L1 has room for them.
double measure_l1_gbps(const DeviceFacts& device, SupportKernels& kernels, const Stream& stream) {
  constexpr std::size_t ring_bytes = std::size_t{16} << 10;
  const int blocks = reading_blocks(device);
  const DeviceBuffer data(ring_bytes * static_cast<std::size_t>(blocks));
  check_cuda(cudaMemset(data.data(), 1, data.size()), "cudaMemset");
  return best_rate(stream, [&] { return kernels.read_l1(data, blocks, 4096); }) * 1e-9;
}

double measure_dram_gbps(const DeviceFacts& device, const Stream& stream) {
  // 1 GiB, or less on a small device: far more than any L2.
  const auto bytes = static_cast<std::size_t>(
      std::min<std::int64_t>(std::int64_t{1} << 30, device.memory_bytes / 8));
  const DeviceBuffer from(bytes);
  const DeviceBuffer to(bytes);
  check_cuda(cudaMemset(from.data(), 1, bytes), "cudaMemset");
  const auto copy = [&] {
    check_cuda(
        cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream.get()),
        "cudaMemcpyAsync");
    return 2.0 * static_cast<double>(bytes);
  };
  return best_rate(stream, copy) * 1e-9;
}

}  // namespace

DeviceLimits measure_limits(const DeviceFacts& device, SupportKernels& kernels,
                            const Stream& stream) {
  DeviceLimits limits;
  limits.fma_tflops = measure_fma_tflops(device, kernels, stream);
  if (device.has_tf32()) limits.tensor_tflops = measure_tensor_tflops(device, kernels, stream);
  limits.dram_gbps = measure_dram_gbps(device, stream);
  if (device.l2_bytes > 0) limits.l2_gbps = measure_l2_gbps(device, kernels, stream);
  limits.l1_gbps = measure_l1_gbps(device, kernels, stream);
  return limits;
}

}  // namespace gtune
