#pragma once

#include "answer/energy_answer.hpp"
#include "cli/database_choice.hpp"
#include "cli/kernel_options.hpp"

namespace gtune {

/// A question for the configuration with the least energy, or the least energy-delay product, or
/// for the Pareto front of time and energy.
struct EnergyQuery {
  EnergyQuestion question;
  SizeOptions sizes;  // none: every stored problem
  std::string device;
  ResultsWanted wanted;
};

/// Answers from stored measurements with an energy. Throws UserError(nothing_stored) if there is
/// none.
[[nodiscard]] Document query_energy(const KernelSpec& spec, const KernelIdentity& identity,
                                    const EnergyQuery& query);

}  // namespace gtune
