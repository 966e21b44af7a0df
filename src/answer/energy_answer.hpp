#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "model/objective.hpp"
#include "report/document.hpp"
#include "report/energy_report.hpp"
#include "store/records.hpp"

namespace gtune {

struct KernelSpec;

/// The configurations of a problem on a device whose energy was measured; at least one.
struct EnergyAnswer {
  DeviceFacts device;
  Problem problem;
  TimingMode mode = {};  // of the times
  std::vector<EnergyPoint> points;
};

/// One answer for each device and problem: of the mode that was asked for, else of the first that
/// it has, cold before others.
[[nodiscard]] std::vector<EnergyAnswer> energy_answers(const std::vector<ConfigEnergy>& energies,
                                                       const std::optional<TimingMode>& asked);

/// What to show of each answer.
struct EnergyQuestion {
  Objective objective = Objective::time;  // the best by it
  bool pareto = false;                    // also all that no other beats in time and energy
};

[[nodiscard]] Document energy_answer_report(const KernelSpec& spec,
                                            const std::vector<EnergyAnswer>& answers,
                                            const EnergyQuestion& question);

}  // namespace gtune
