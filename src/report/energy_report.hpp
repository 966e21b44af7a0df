#pragma once

#include <optional>
#include <vector>

#include "model/energy_use.hpp"
#include "model/objective.hpp"
#include "report/document.hpp"
#include "store/records.hpp"

namespace gtune {

struct KernelSpec;

/// A configuration with a time and an energy.
struct EnergyPoint {
  MeasurementId id{};
  Config config;
  double ms = 0;  // median
  EnergyUse use;

  [[nodiscard]] double cost(Objective objective) const {
    return cost_of(objective, ms, use.energy_mj);
  }
};

/// The point with the least cost, and the faster of two; null if there are none.
[[nodiscard]] const EnergyPoint* best_point(const std::vector<EnergyPoint>& points,
                                            Objective objective);

/// The points that no other beats: none takes less time and at most the energy, or less energy and
/// at most the time. The fastest first.
[[nodiscard]] std::vector<EnergyPoint> pareto_front(std::vector<EnergyPoint> points);

/// "812 mJ a launch, 352 W"
[[nodiscard]] std::string energy_text(const EnergyUse& use);

/// "2.5 ms (-3.0 %), 812 mJ a launch (+9.1 %), BM=64": another configuration compared with the
/// chosen one.
[[nodiscard]] std::string compared_text(const KernelSpec& spec, const EnergyPoint& other,
                                        const EnergyPoint& chosen);

/// The Pareto front of `points`, with time, energy, power and their product; marks the points that
/// are the best of all by an objective. Key in JSON: "pareto".
[[nodiscard]] Table pareto_table(const KernelSpec& spec, const std::vector<EnergyPoint>& points);

}  // namespace gtune
