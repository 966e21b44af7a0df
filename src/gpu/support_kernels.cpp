#include "gpu/support_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "embedded/device_support.cu.hpp"
#include "embedded/element_steps.inc.hpp"
#include "gpu/cuda_error.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

constexpr int threads_per_block = 256;
constexpr std::uint64_t max_blocks =
    std::uint64_t{132} * 16;  // enough to fill a GPU; the kernels loop

constexpr std::size_t load_bytes = 16;  // of the kernels that read caches

struct RawComparison {  // must match Comparison of device_support.cu
  std::uint64_t mismatches;
  std::uint64_t first_index;
  std::uint64_t max_error_bits;
};

struct RawStep {  // must match Step of element_steps.inc
  std::int32_t operation;
  std::int32_t real;
  std::array<std::uint32_t, 3> operands;
  std::int32_t unused;
  std::int64_t value;
  double real_value;
};
static_assert(sizeof(RawStep) == 40);

template <typename T>
T read_back(const std::byte* data, const Stream& stream) {
  T value{};
  check_cuda(cudaMemcpyAsync(&value, data, sizeof value, cudaMemcpyDeviceToHost, stream.get()),
             "cudaMemcpy");
  check_cuda(cudaStreamSynchronize(stream.get()), "kernel");
  return value;
}

std::size_t bytes_of(const BufferPlan& plan) {
  return static_cast<std::size_t>(plan.count) * size_of(plan.type);
}

}  // namespace

const std::string& support_source() {
  static const std::string source = "#define GTUNE_DEVICE __device__\n" +
                                    std::string(embedded::k_element_steps_inc) +
                                    std::string(embedded::k_device_support_cu);
  return source;
}

SupportKernels::SupportKernels(std::span<const std::byte> cubin, const Stream& stream)
    : m_stream(stream),
      m_module(cubin),
      m_result(sizeof(RawComparison)),
      m_steps(most_element_steps * sizeof(RawStep)) {}

void SupportKernels::launch_over(const char* name, std::uint64_t count, void** arguments) {
  const std::uint64_t blocks =
      std::clamp<std::uint64_t>((count + threads_per_block - 1) / threads_per_block, 1, max_blocks);
  const LaunchPlan plan{{static_cast<std::int64_t>(blocks), 1, 1}, {threads_per_block, 1, 1}, 0};
  launch(m_module.kernel(name), plan, arguments, m_stream);
}

void SupportKernels::fill(std::byte* data, const BufferPlan& plan, std::uint64_t seed) {
  if (plan.fill.kind == FillKind::each) return fill_each(data, plan, seed);
  int type = static_cast<int>(plan.type);
  int kind = static_cast<int>(plan.fill.kind);
  auto count = static_cast<std::uint64_t>(plan.count);
  double low = plan.fill.low;
  double high = plan.fill.high;
  void* arguments[] = {&data, &type, &count, &kind, &low, &high, &seed};
  launch_over("gtune_fill", count, arguments);
}

void SupportKernels::fill_each(std::byte* data, const BufferPlan& plan, std::uint64_t seed) {
  int type = static_cast<int>(plan.type);
  auto count = static_cast<std::uint64_t>(plan.count);
  std::byte* steps = upload(plan.fill.each);
  int step_count = static_cast<int>(plan.fill.each.steps.size());
  std::byte* result = begin_comparison();
  void* arguments[] = {&data, &type, &count, &steps, &step_count, &seed, &result};
  launch_over("gtune_fill_each", count, arguments);
  const Comparison found = take_comparison();
  if (found.mismatches == 0) return;
  throw UserError(ExitCode::failed, "'" + plan.fill.each.text + "' has no value for element " +
                                        std::to_string(found.first_index) + " of '" + plan.name +
                                        "' that fits into " + std::string(to_string(plan.type)));
}

std::byte* SupportKernels::upload(const ElementProgram& program) {
  std::vector<RawStep> steps;
  for (const Node& node : program.steps) {
    steps.push_back({static_cast<std::int32_t>(node.operation), node.real ? 1 : 0, node.operands, 0,
                     node.value, node.real_value});
  }
  if (!steps.empty()) {
    check_cuda(cudaMemcpy(m_steps.data(), steps.data(), steps.size() * sizeof(RawStep),
                          cudaMemcpyHostToDevice),
               "cudaMemcpy");
  }
  return m_steps.data();
}

void SupportKernels::poison(std::byte* data, const std::byte* reference, const BufferPlan& plan) {
  std::uint64_t bytes = bytes_of(plan);
  if (is_floating(plan.type)) {
    // All bits set is a NaN in every floating type.
    check_cuda(cudaMemsetAsync(data, 0xff, bytes, m_stream.get()), "cudaMemset");
    return;
  }
  void* arguments[] = {&data, &reference, &bytes};
  launch_over("gtune_invert", bytes, arguments);
}

double SupportKernels::root_mean_square(const std::byte* data, const BufferPlan& plan) {
  if (!is_floating(plan.type) || plan.count == 0) return 0;
  check_cuda(cudaMemsetAsync(m_result.data(), 0, m_result.size(), m_stream.get()), "cudaMemset");
  int type = static_cast<int>(plan.type);
  auto count = static_cast<std::uint64_t>(plan.count);
  std::byte* sum = m_result.data();
  void* arguments[] = {&data, &type, &count, &sum};
  launch_over("gtune_sum_squares", count, arguments);
  return std::sqrt(read_back<double>(sum, m_stream) / static_cast<double>(plan.count));
}

std::byte* SupportKernels::begin_comparison() {
  const RawComparison nothing{0, ~std::uint64_t{0}, 0};
  check_cuda(cudaMemcpyAsync(m_result.data(), &nothing, sizeof nothing, cudaMemcpyHostToDevice,
                             m_stream.get()),
             "cudaMemcpy");
  return m_result.data();
}

Comparison SupportKernels::take_comparison() {
  const auto raw = read_back<RawComparison>(m_result.data(), m_stream);
  return {raw.mismatches, raw.first_index, std::bit_cast<double>(raw.max_error_bits)};
}

Comparison SupportKernels::compare(const std::byte* out, const std::byte* reference,
                                   const BufferPlan& plan, const OutputCheck& check, double rms) {
  std::byte* result = begin_comparison();
  std::byte* steps = upload(check.where);
  int step_count = static_cast<int>(check.where.steps.size());
  auto count = static_cast<std::uint64_t>(check.count);
  if (!is_floating(plan.type)) {
    int size = static_cast<int>(size_of(plan.type));
    void* arguments[] = {&out, &reference, &count, &size, &steps, &step_count, &result};
    launch_over("gtune_compare_exactly", count, arguments);
    return take_comparison();
  }
  int type = static_cast<int>(plan.type);
  double rtol = check.rtol;
  double atol = check.atol;
  void* arguments[] = {&out,  &reference, &type,  &count,      &rtol,
                       &atol, &rms,       &steps, &step_count, &result};
  launch_over("gtune_compare_floats", count, arguments);
  return take_comparison();
}

Comparison SupportKernels::check_guard(const std::byte* zone) {
  std::byte* result = begin_comparison();
  std::uint64_t bytes = GuardedBuffer::guard_bytes;
  std::uint32_t value = GuardedBuffer::guard_value;
  void* arguments[] = {&zone, &bytes, &value, &result};
  launch_over("gtune_check_guard", bytes, arguments);
  return take_comparison();
}

std::uint64_t SupportKernels::checksum(const std::byte* data, std::size_t bytes) {
  check_cuda(cudaMemsetAsync(m_result.data(), 0, m_result.size(), m_stream.get()), "cudaMemset");
  std::uint64_t count = bytes;
  std::byte* sum = m_result.data();
  void* arguments[] = {&data, &count, &sum};
  launch_over("gtune_checksum", count / 4 + 3, arguments);
  return read_back<std::uint64_t>(sum, m_stream);
}

void SupportKernels::flush(const DeviceBuffer& buffer) {
  const std::byte* data = buffer.data();
  std::uint64_t count = buffer.size() / 16;
  std::byte* sink = m_result.data();
  void* arguments[] = {&data, &count, &sink};
  launch_over("gtune_flush", count, arguments);
}

void SupportKernels::delay(double us) {
  // An iteration issues 2048 instructions on each scheduler: 1 us at 2 GHz.
  fma_chains(1, static_cast<int>(std::ceil(us)));
}

void SupportKernels::compute(const char* name, int blocks, int iterations, float a, float b) {
  std::byte* sink = m_result.data();
  void* arguments[] = {&sink, &iterations, &a, &b};
  const LaunchPlan plan{{blocks, 1, 1}, {threads_per_block, 1, 1}, 0};
  launch(m_module.kernel(name), plan, arguments, m_stream);
}

double SupportKernels::fma_chains(int blocks, int iterations) {
  compute("gtune_fma_peak", blocks, iterations, 0.999F, 0.001F);
  return 2.0 * 16 * 64 * iterations * threads_per_block * blocks;
}

double SupportKernels::tensor_products(int blocks, int iterations) {
  compute("gtune_tensor_peak", blocks, iterations, 0.5F, 0.25F);
  constexpr double operations = 1 << 21;  // of a block's iteration, on any device
  return operations * iterations * blocks;
}

double SupportKernels::read_again(const char* name, const DeviceBuffer& data,
                                  std::size_t ring_bytes, std::uint32_t step, int blocks,
                                  int loads) {
  const std::byte* from = data.data();
  std::uint32_t mask = static_cast<std::uint32_t>(ring_bytes / load_bytes) - 1;
  std::byte* sink = m_result.data();
  void* arguments[] = {&from, &mask, &step, &loads, &sink};
  const LaunchPlan plan{{blocks, 1, 1}, {reading_threads, 1, 1}, 0};
  launch(m_module.kernel(name), plan, arguments, m_stream);
  return static_cast<double>(load_bytes) * loads * reading_threads * blocks;
}

double SupportKernels::read_l2(const DeviceBuffer& data, int blocks, int loads) {
  const auto all_threads = static_cast<std::uint32_t>(blocks * reading_threads);
  return read_again("gtune_read_l2", data, data.size(), all_threads, blocks, loads);
}

double SupportKernels::read_l1(const DeviceBuffer& data, int blocks, int loads) {
  constexpr std::uint32_t warp = 32;
  const std::size_t ring_bytes = data.size() / static_cast<std::size_t>(blocks);
  return read_again("gtune_read_l1", data, ring_bytes, warp, blocks, loads);
}

}  // namespace gtune
