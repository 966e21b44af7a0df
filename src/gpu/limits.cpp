#include "gpu/limits.hpp"

#include <algorithm>
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

double measure_fma_tflops(const DeviceFacts& device, SupportKernels& kernels,
                          const Stream& stream) {
  const int blocks = device.sm_count * (device.max_threads_per_sm / 256);
  double operations = 0;
  const double ms = fastest_ms(stream, [&] { operations = kernels.fma_chains(blocks, 200); });
  return operations / (ms * 1e-3) * 1e-12;
}

double measure_dram_gbps(const DeviceFacts& device, const Stream& stream) {
  // 1 GiB, or less on a small device: far more than any L2.
  const auto bytes = static_cast<std::size_t>(
      std::min<std::int64_t>(std::int64_t{1} << 30, device.memory_bytes / 8));
  const DeviceBuffer from(bytes);
  const DeviceBuffer to(bytes);
  check_cuda(cudaMemset(from.data(), 1, bytes), "cudaMemset");
  const double ms = fastest_ms(stream, [&] {
    check_cuda(
        cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream.get()),
        "cudaMemcpyAsync");
  });
  return 2.0 * static_cast<double>(bytes) / (ms * 1e-3) * 1e-9;
}

}  // namespace

MeasuredLimits measure_limits(const DeviceFacts& device, SupportKernels& kernels,
                              const Stream& stream) {
  return {measure_fma_tflops(device, kernels, stream), measure_dram_gbps(device, stream)};
}

}  // namespace gtune
