#pragma once

#include <string_view>

namespace gtune {

/// What a run minimises among its finalists: the time of a launch, its energy, or their product
/// (the energy-delay product).
enum class Objective { time, energy, edp };

[[nodiscard]] std::string_view to_string(Objective objective);
/// Throws std::invalid_argument for an unknown word.
[[nodiscard]] Objective objective_from_string(std::string_view word);

/// What the objective minimises: ms, mJ, or mJ times ms.
[[nodiscard]] double cost_of(Objective objective, double ms, double energy_mj);

}  // namespace gtune
