#pragma once

#include "tune/environment.hpp"
#include "tune/until_given_up.hpp"

namespace gtune {

/// Measures energy on the lead. If it is unavailable, the probe reports that once and stops.
class EnergyProbe {
 public:
  explicit EnergyProbe(const Environment& environment)
      : m_env(environment), m_asking(environment.observer, "energy") {}

  /// Launches `run` on the open problem for about two seconds. If there is no energy, the reply has
  /// the reason. Throws LeadLost.
  MeasureEnergyReply take(const Measure& run);

 private:
  const Environment& m_env;
  UntilGivenUp m_asking;
};

/// Throws UserError if the lead cannot measure energy, which the run's objective needs.
void require_energy(const Environment& environment, Objective objective);

}  // namespace gtune
