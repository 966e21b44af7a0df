#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "gpu/buffer.hpp"
#include "gpu/module.hpp"
#include "gpu/stream.hpp"
#include "model/plan.hpp"

namespace gtune {

/// CUDA source of the kernels below, to be compiled by NVRTC for the device.
[[nodiscard]] const std::string& support_source();

/// What a comparison found.
struct Comparison {
  std::uint64_t mismatches = 0;
  std::uint64_t first_index = 0;  // element, or byte of a guard zone
  double max_error = 0;           // largest |out - reference| / tolerance
};

/// Fills, poisons, compares and flushes on the device. A fill by an expression and calls that
/// return what they read wait for the stream; the others only queue.
class SupportKernels {
 public:
  SupportKernels(std::span<const std::byte> cubin, const Stream& stream);

  /// Any fill but FillKind::copy and FillKind::contents. Throws UserError if an expression has no
  /// value that fits an element.
  void fill(std::byte* data, const BufferPlan& plan, std::uint64_t seed);
  /// Writes NaN, or for integers the inverse of the reference, which no kernel leaves by chance.
  void poison(std::byte* data, const std::byte* reference, const BufferPlan& plan);
  [[nodiscard]] double root_mean_square(const std::byte* data, const BufferPlan& plan);
  [[nodiscard]] Comparison compare(const std::byte* out, const std::byte* reference,
                                   const BufferPlan& plan, const OutputCheck& check, double rms);
  [[nodiscard]] Comparison check_guard(const std::byte* zone);
  [[nodiscard]] std::uint64_t checksum(const std::byte* data, std::size_t bytes);

  /// Queues a read of `buffer`, which must be larger than the L2 cache.
  void flush(const DeviceBuffer& buffer);
  /// Queues a kernel that keeps one SM busy for about `us` microseconds, or longer.
  void delay(double us);
  /// Queues FMA chains on `blocks` blocks; returns the number of operations.
  double fma_chains(int blocks, int iterations);
  /// Queues products of matrices in TF32; returns the number of operations. Requires tensor cores
  /// that compute in TF32.
  double tensor_products(int blocks, int iterations);

  /// Threads in a block of the two below.
  static constexpr int reading_threads = 1024;
  /// Queues `loads` loads of 16 bytes from each thread, past L1; all blocks read the same bytes, a
  /// power of two. `loads`: a multiple of 8. Returns the number of bytes.
  double read_l2(const DeviceBuffer& data, int blocks, int loads);
  /// The same through L1: each block reads a part of its own.
  double read_l1(const DeviceBuffer& data, int blocks, int loads);

 private:
  void launch_over(const char* name, std::uint64_t count, void** arguments);
  void compute(const char* name, int blocks, int iterations, float a, float b);
  double read_again(const char* name, const DeviceBuffer& data, std::size_t ring_bytes,
                    std::uint32_t step, int blocks, int loads);
  void fill_each(std::byte* data, const BufferPlan& plan, std::uint64_t seed);
  /// Both return device addresses that are valid until the next call.
  std::byte* begin_comparison();
  std::byte* upload(const ElementProgram& program);
  [[nodiscard]] Comparison take_comparison();

  const Stream& m_stream;
  Module m_module;
  DeviceBuffer m_result;  // a Comparison, a sum or a checksum
  DeviceBuffer m_steps;   // of an ElementProgram
};

}  // namespace gtune
