#pragma once

#include "tune/energy_probe.hpp"
#include "tune/opened_run.hpp"
#include "tune/profiler.hpp"
#include "tune/until_given_up.hpp"

namespace gtune {

/// What takes metrics of the runs of a command on the lead: what turned out to be unavailable for
/// one run is not asked for again.
struct MetricTakers {
  explicit MetricTakers(const Environment& environment)
      : energy(environment), profiler(environment), lines(environment.observer, "source lines") {}

  OpenedRun opened;
  EnergyProbe energy;
  Profiler profiler;
  UntilGivenUp lines;
};

}  // namespace gtune
