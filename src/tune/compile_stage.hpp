#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>

#include "tune/environment.hpp"

namespace gtune {

/// A configuration on its way from the search to the GPU.
struct Candidate {
  std::size_t index = 0;  // in the search space
  Config config;
  std::optional<CompileResult> compiled;  // absent if nothing is compiled
};

/// Compiles ahead of the GPU. Candidates come out compiled, in the order of completion or, for
/// reproducible replays, in the order of submission.
class CompileStage {
 public:
  enum class Order { as_ready, as_submitted };

  /// If the environment has no pool, candidates pass through uncompiled, in order.
  CompileStage(const Environment& environment, Problem problem, Order order)
      : m_environment(environment), m_problem(std::move(problem)), m_order(order) {}
  ~CompileStage();

  void submit(std::size_t index, Config config);
  /// The next candidate; absent if none is ready within `limit`, or none was submitted.
  [[nodiscard]] std::optional<Candidate> next(std::chrono::milliseconds limit);
  [[nodiscard]] std::size_t under_way() const { return m_waiting.size(); }

 private:
  [[nodiscard]] std::optional<Candidate> take(std::uint64_t ticket);

  const Environment& m_environment;
  Problem m_problem;
  Order m_order;
  std::uint64_t m_passed_through = 0;            // replaces the pool's tickets
  std::map<std::uint64_t, Candidate> m_waiting;  // by ticket, which is the order of submission
};

/// Does nothing without a trace.
void trace_compile(Trace* trace, const CompilePool::Finished& finished, const std::string& what);

}  // namespace gtune
