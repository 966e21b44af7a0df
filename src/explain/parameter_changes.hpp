#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/named_values.hpp"

// What changes of one parameter did to a cause of lost time, from pairs of measured configurations.
namespace gtune {

/// A measured configuration and how much it has of a cause: a share of its samples, conflicts,
/// milliseconds in which a unit works.
struct ConfigCause {
  Config config;  // the parameters that exist in it
  double ms = 0;
  double amount = 0;
};

/// The mean of all pairs of measured configurations that differ only in this.
struct ParameterChange {
  std::string parameter;
  std::int64_t from = 0;
  std::int64_t to = 0;
  double before = 0;       // of the cause
  double after = 0;        // of it
  double time_change = 0;  // -0.1: a tenth faster
  int pairs = 0;
  bool of_own_config = false;  // the only pair is the explained configuration and its neighbour
};

struct MeasuredChanges {
  std::size_t compared = 0;              // changes of one parameter that were measured
  std::vector<ParameterChange> helpful;  // a few that reduced the cause, the fastest first
};

/// Whether a cause fell by enough to speak of.
using FallsClearly = bool (*)(double before, double after);

/// Changes away from a value of the explained configuration, of each parameter the fastest that
/// reduced the cause; none for a baseline, which has no parameters. `measured`: on the same device
/// and problem, with or without the explained configuration.
[[nodiscard]] MeasuredChanges measured_changes(const Config& explained,
                                               const std::vector<ConfigCause>& measured,
                                               FallsClearly falls);

}  // namespace gtune
