#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explain/parameter_changes.hpp"
#include "explain/rule_record.hpp"

namespace gtune {

/// A number that supports a finding.
struct Evidence {
  std::string name;  // of a metric or a static fact
  double value = 0;
  std::string unit;
};

/// What a change of a parameter should achieve for a finding.
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

/// A change of one parameter towards a goal.
struct Move {
  std::string parameter;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::string effect;             // "registers 206 -> 132"
  std::optional<double> best_ms;  // best time with it; absent: not measured
};

/// A finding names changes of one parameter that leave at most this share of its cause.
constexpr double k_clearly_less = 0.8;

/// A cause that costs a measured kernel time or limits it.
struct Finding {
  std::string rule;     // "dram_bound"
  std::string summary;  // one line
  std::vector<Evidence> evidence;
  std::optional<double> cost;   // largest share of the time that removing it saves; absent: unknown
  std::string bound;            // the assumption behind the cost
  std::string advice;           // what kind of change helps
  bool little_is_left = false;  // to gain; the advice says why
  Goal goal = Goal::none;
  std::vector<Move> moves;
  std::optional<MeasuredChanges> changes;  // absent: the rule has no amount, or moves instead
  std::optional<RuleRecord> record;        // of the rule; absent: not checked
};

}  // namespace gtune
