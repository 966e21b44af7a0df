#include "tune/compile_stage.hpp"

#include "jit/kernel_request.hpp"

namespace gtune {

CompileStage::~CompileStage() {
  if (m_pool != nullptr) m_pool->cancel_pending();
}

void CompileStage::submit(std::size_t index, Config config) {
  const std::uint64_t ticket = m_next_ticket++;
  if (m_pool != nullptr) {
    m_pool->submit(ticket, kernel_request(m_spec, m_spec.entry, config, m_arch));
  }
  m_waiting.emplace(ticket, Candidate{index, std::move(config), std::nullopt});
}

std::optional<Candidate> CompileStage::take(std::uint64_t ticket) {
  auto node = m_waiting.extract(ticket);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

std::optional<Candidate> CompileStage::next() {
  if (m_waiting.empty()) return std::nullopt;
  const auto first = m_waiting.begin();
  if (m_pool == nullptr || (m_order == Order::as_submitted && first->second.compiled)) {
    return take(first->first);
  }
  auto finished = m_pool->wait_next(std::chrono::milliseconds(100));
  if (!finished) return std::nullopt;
  const auto found = m_waiting.find(finished->ticket);
  if (found == m_waiting.end()) return std::nullopt;  // of a stage before this one
  found->second.compiled = std::move(finished->result);
  if (m_order == Order::as_submitted && found != m_waiting.begin()) return std::nullopt;
  return take(finished->ticket);
}

}  // namespace gtune
