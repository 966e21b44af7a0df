#include "tune/compile_stage.hpp"

namespace gtune {

void trace_compile(Trace* trace, const CompilePool::Finished& finished, const std::string& what) {
  if (trace == nullptr) return;
  trace->add({"compiler " + std::to_string(finished.slot + 1),
              finished.result.from_cache ? "from cache" : "compile", finished.begin, finished.end,
              what});
}

CompileStage::~CompileStage() {
  if (m_environment.pool != nullptr) m_environment.pool->cancel_pending();
}

void CompileStage::submit(std::size_t index, Config config) {
  const std::uint64_t ticket =
      m_environment.pool == nullptr
          ? ++m_passed_through
          : m_environment.pool->submit(m_environment.request(
                m_environment.spec.steps, m_environment.case_on_lead(m_problem, config)));
  m_waiting.emplace(ticket, Candidate{index, std::move(config), std::nullopt});
}

std::optional<Candidate> CompileStage::take(std::uint64_t ticket) {
  auto node = m_waiting.extract(ticket);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

std::optional<Candidate> CompileStage::next(std::chrono::milliseconds limit) {
  if (m_waiting.empty()) return std::nullopt;
  const auto first = m_waiting.begin();
  if (m_environment.pool == nullptr || (m_order == Order::as_submitted && first->second.compiled)) {
    return take(first->first);
  }
  while (auto finished = m_environment.pool->wait_next(limit)) {
    const auto found = m_waiting.find(finished->ticket);
    if (found == m_waiting.end()) continue;  // from an earlier stage
    trace_compile(m_environment.trace, *finished, found->second.config.text());
    found->second.compiled = std::move(finished->result);
    if (m_order == Order::as_ready || found == m_waiting.begin()) return take(finished->ticket);
  }
  return std::nullopt;
}

}  // namespace gtune
