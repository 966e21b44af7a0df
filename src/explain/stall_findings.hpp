#pragma once

#include <string>
#include <vector>

#include "explain/parameter_changes.hpp"
#include "explain/subject.hpp"
#include "model/line_profile.hpp"
#include "model/named_values.hpp"

// What the stalls of a sampled kernel mean, joined with what its lines do, and which parameters
// changed them.
namespace gtune {

/// A configuration whose lines were sampled.
struct SampledConfig {
  Config config;  // the parameters that exist in it
  double ms = 0;
  LineProfile profile;
};

/// A source line with its part of a stall.
struct StalledLine {
  std::string file;
  int line = 0;
  double share = 0;  // of the kernel's samples
};

struct StallFinding {
  std::string stall;
  double share = 0;                      // of the kernel's samples
  std::string waits_for;                 // "loads from global memory"; empty: not known
  std::string advice;                    // what kind of change helps; empty: not known
  std::vector<StalledLine> lines;        // that wait: a few
  std::vector<StalledLine> issued_by;    // that have the instructions waited for: a few
  std::vector<ParameterChange> effects;  // a few that reduce it, the fastest first
};

/// The findings for stalls with a tenth of the samples or more, the largest first. `sampled`: the
/// profiles of the same device and problem, with or without the explained one. `subject`: the
/// explained one with its metrics, of which units work: waiting for a busy one cannot be hidden.
[[nodiscard]] std::vector<StallFinding> find_stalls(const SampledConfig& explained,
                                                    const std::vector<SampledConfig>& sampled,
                                                    const Subject& subject = {});

}  // namespace gtune
