#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gtune {

/// A number that a finding rests on.
struct Evidence {
  std::string name;  // a metric's, or a static fact's
  double value = 0;
  std::string unit;
};

/// What a change of a parameter should do for a finding.
enum class Goal {
  none,
  fewer_registers,
  fewer_spills,
  less_shared,
  fewer_threads,
  more_threads,
  more_blocks,
  larger_tiles,  // fewer blocks that share more
};

/// A step of one parameter towards a goal.
struct Move {
  std::string parameter;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::string effect;             // "registers 206 -> 132"
  std::optional<double> best_ms;  // of what was measured with it; absent: nothing was
};

/// What costs a measured kernel time, or bounds it.
struct Finding {
  std::string rule;     // "dram_bound"
  std::string summary;  // one line
  std::vector<Evidence> evidence;
  std::optional<double> cost;  // share of the time that removing it saves at most; absent: unknown
  std::string bound;           // how the cost was found
  std::string advice;          // what kind of change helps
  Goal goal = Goal::none;
  std::vector<Move> moves;
};

}  // namespace gtune
