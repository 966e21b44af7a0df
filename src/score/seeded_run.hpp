#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "exchange/recorded_space.hpp"

namespace gtune {

/// A run ends when it has reached both limits or has asked for everything; also when it has found
/// the optimum and its search would have ended by itself, or never does.
struct RunLimits {
  std::size_t evaluations = 0;
  double elapsed_ms = 0;
  std::size_t outstanding = 1;  // configurations asked for before the first is told
};

/// A moment at which a run found a better configuration.
struct Improvement {
  std::size_t evaluations;  // until then, failures included
  double elapsed_ms;        // of compiling and measuring, one after the other
  double cost_ms;
};

/// The moment at which a search would have ended by itself (StopRule).
struct OwnEnd {
  std::size_t evaluations;
  double best_ms;
};

struct SeededRun {
  std::vector<Improvement> improvements;
  std::optional<OwnEnd> own_end;
  std::size_t evaluations = 0;
  double cpu_ms = 0;  // CPU time of the strategy itself
};

/// Replays a search. Everything but the CPU time depends only on the arguments. The run ends early
/// if `interrupted`, which is called before each ask, returns true.
[[nodiscard]] SeededRun run_seeded(const RecordedSpace& recorded, std::string_view strategy,
                                   std::uint64_t seed, const RunLimits& limits,
                                   const std::function<bool()>& interrupted);

}  // namespace gtune
