#include "answer/launch_work.hpp"

#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// Multiplies `product` by a factor. False if the factor has no value or the product overflows.
bool multiply(const Expression& factor, const std::vector<std::int64_t>& slots,
              std::int64_t& product) {
  const Checked value = factor.try_evaluate(slots);
  return value.failure == Failure::none && !__builtin_mul_overflow(product, value.value, &product);
}

}  // namespace

std::vector<const BufferSpec*> moved_buffers(const KernelSpec& spec) {
  std::vector<const BufferSpec*> moved;
  for (const ArgumentSpec& argument : spec.args) {
    const auto* buffer = std::get_if<BufferSpec>(&argument);
    if (buffer != nullptr && buffer->direction != Direction::workspace) moved.push_back(buffer);
  }
  return moved;
}

const std::vector<Expression>* known_grid(const KernelSpec& spec) {
  const KernelLaunchSpec* launch = only_launch(spec.steps);
  if (launch == nullptr || needs_facts(spec, launch->launch)) return nullptr;
  return &launch->launch.grid;
}

std::optional<LaunchWork> launch_work(const KernelSpec& spec, const Case& of) {
  const std::vector<std::int64_t> slots = slot_values(spec, of);
  LaunchWork work;
  for (const BufferSpec* buffer : moved_buffers(spec)) {
    auto bytes = static_cast<std::int64_t>(size_of(buffer->type));
    if (!multiply(buffer->count, slots, bytes)) return std::nullopt;
    if (__builtin_add_overflow(work.bytes, bytes, &work.bytes)) return std::nullopt;
  }
  if (const auto* grid = known_grid(spec)) {
    for (const Expression& dimension : *grid) {
      if (!multiply(dimension, slots, work.blocks)) return std::nullopt;
    }
  }
  if (!spec.work.padded) {
    work.padded = work.bytes;
  } else if (!multiply(*spec.work.padded, slots, work.padded)) {
    return std::nullopt;
  }
  if (spec.work.traffic) {
    work.traffic = 1;
    if (!multiply(*spec.work.traffic, slots, work.traffic)) return std::nullopt;
  }
  if (work.padded <= 0 || work.traffic < 0 || work.blocks <= 0 || work.bytes < 0) {
    return std::nullopt;
  }
  return work;
}

}  // namespace gtune
