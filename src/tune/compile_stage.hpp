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
  std::optional<CompileResult> compiled;  // absent where nothing is compiled
};

/// Compiles ahead of the GPU: candidates go in, come out compiled, in the order in which they
/// are ready or, for reproducible replays, in the order in which they came.
class CompileStage {
 public:
  enum class Order { as_ready, as_submitted };

  /// Where the environment has no pool, candidates pass through uncompiled, in order.
  CompileStage(const Environment& environment, Problem problem, Order order)
      : m_environment(environment), m_problem(std::move(problem)), m_order(order) {}
  ~CompileStage();

  void submit(std::size_t index, Config config);
  /// The next candidate; nothing after `limit` without one, or if none is under way.
  [[nodiscard]] std::optional<Candidate> next(std::chrono::milliseconds limit);
  [[nodiscard]] std::size_t under_way() const { return m_waiting.size(); }

 private:
  [[nodiscard]] std::optional<Candidate> take(std::uint64_t ticket);

  const Environment& m_environment;
  Problem m_problem;
  Order m_order;
  std::uint64_t m_passed_through = 0;            // stands in for the pool's tickets
  std::map<std::uint64_t, Candidate> m_waiting;  // by ticket, so in the order submitted
};

/// Without a trace, nothing.
void trace_compile(Trace* trace, const CompilePool::Finished& finished, const std::string& what);

}  // namespace gtune
