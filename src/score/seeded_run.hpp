#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "exchange/recorded_space.hpp"

namespace gtune {

/// A run goes on until it has both, or has found the optimum or asked for everything.
struct RunLimits {
  std::size_t evaluations = 0;
  double elapsed_ms = 0;
  std::size_t outstanding = 1;  // asked for before the first of them is told
};

/// A moment at which a run found a better configuration.
struct Improvement {
  std::size_t evaluations;  // until then, failures included
  double elapsed_ms;        // of compiling and measuring, one after the other
  double cost_ms;
};

struct SeededRun {
  std::vector<Improvement> improvements;
  std::size_t evaluations = 0;
  double cpu_ms = 0;  // that the strategy itself took
};

/// Replays a search. Everything but the CPU time depends only on the arguments. `interrupted` is
/// asked at each ask; then the run ends early.
[[nodiscard]] SeededRun run_seeded(const RecordedSpace& recorded, std::string_view strategy,
                                   std::uint64_t seed, const RunLimits& limits,
                                   const std::function<bool()>& interrupted);

}  // namespace gtune
