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

WorkTerms::WorkTerms(const KernelSpec& spec)
    : m_padded(spec.work.padded), m_traffic(spec.work.traffic) {
  for (const BufferSpec* buffer : moved_buffers(spec)) {
    m_buffers.push_back({static_cast<std::int64_t>(size_of(buffer->type)), buffer->count});
  }
  if (const auto* grid = known_grid(spec)) m_grid = *grid;
}

WorkTerms WorkTerms::reduced(const OpenSizes& open) const {
  WorkTerms terms = *this;
  for (Buffer& buffer : terms.m_buffers) buffer.count = open.reduced(buffer.count);
  for (Expression& dimension : terms.m_grid) dimension = open.reduced(dimension);
  for (auto* term : {&terms.m_padded, &terms.m_traffic}) {
    if (*term) *term = open.reduced(**term);
  }
  return terms;
}

std::optional<LaunchWork> WorkTerms::work(const std::vector<std::int64_t>& slots) const {
  LaunchWork work;
  for (const Buffer& buffer : m_buffers) {
    std::int64_t bytes = buffer.element_bytes;
    if (!multiply(buffer.count, slots, bytes)) return std::nullopt;
    if (__builtin_add_overflow(work.bytes, bytes, &work.bytes)) return std::nullopt;
  }
  for (const Expression& dimension : m_grid) {
    if (!multiply(dimension, slots, work.blocks)) return std::nullopt;
  }
  if (!m_padded) {
    work.padded = work.bytes;
  } else if (!multiply(*m_padded, slots, work.padded)) {
    return std::nullopt;
  }
  if (m_traffic) {
    work.traffic = 1;
    if (!multiply(*m_traffic, slots, work.traffic)) return std::nullopt;
  }
  if (work.padded <= 0 || work.traffic < 0 || work.blocks <= 0 || work.bytes < 0) {
    return std::nullopt;
  }
  return work;
}

}  // namespace gtune
