#include "answer/launch_work.hpp"

#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// Multiplies `product` by a factor. False if the factor has no value or the product overflows.
bool multiply(const Checked& factor, std::int64_t& product) {
  return factor.failure == Failure::none &&
         !__builtin_mul_overflow(product, factor.value, &product);
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
    : m_has_padded(spec.work.padded.has_value()), m_has_traffic(spec.work.traffic.has_value()) {
  for (const BufferSpec* buffer : moved_buffers(spec)) {
    m_element_bytes.push_back(static_cast<std::int64_t>(size_of(buffer->type)));
    m_terms.push_back(buffer->count);
  }
  if (const auto* grid = known_grid(spec)) {
    m_grid = grid->size();
    m_terms.insert(m_terms.end(), grid->begin(), grid->end());
  }
  for (const auto* term : {&spec.work.padded, &spec.work.traffic}) {
    if (*term) m_terms.push_back(**term);
  }
  m_all = ExpressionSet(m_terms);
}

WorkTerms WorkTerms::reduced(const OpenSizes& open) const {
  WorkTerms terms = *this;
  for (Expression& term : terms.m_terms) term = open.reduced(term);
  terms.m_all = ExpressionSet(terms.m_terms);
  return terms;
}

std::optional<LaunchWork> WorkTerms::work(const std::vector<std::int64_t>& slots) const {
  // Kept, because allocating it takes about as long as an evaluation.
  thread_local std::vector<Checked> values;
  m_all.try_evaluate(slots, values);
  auto next = values.begin();
  LaunchWork work;
  for (const std::int64_t element_bytes : m_element_bytes) {
    std::int64_t bytes = element_bytes;
    if (!multiply(*next++, bytes)) return std::nullopt;
    if (__builtin_add_overflow(work.bytes, bytes, &work.bytes)) return std::nullopt;
  }
  for (std::size_t i = 0; i < m_grid; ++i) {
    if (!multiply(*next++, work.blocks)) return std::nullopt;
  }
  if (!m_has_padded) {
    work.padded = work.bytes;
  } else if (!multiply(*next++, work.padded)) {
    return std::nullopt;
  }
  if (m_has_traffic) {
    work.traffic = 1;
    if (!multiply(*next, work.traffic)) return std::nullopt;
  }
  if (work.padded <= 0 || work.traffic < 0 || work.blocks <= 0 || work.bytes < 0) {
    return std::nullopt;
  }
  return work;
}

}  // namespace gtune
