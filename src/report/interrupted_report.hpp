#pragma once

#include <cstdint>
#include <optional>

#include "model/named_values.hpp"
#include "model/objective.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// A run on one problem that the user ended.
struct InterruptedRun {
  Problem problem;
  std::uint64_t tried = 0;  // configurations
  std::uint64_t space_size = 0;
  Objective objective = Objective::time;
  std::optional<double> best_ms;  // of the fastest correct one in the search
  Config best;
};

[[nodiscard]] Document interrupted_report(const KernelSpec& spec, const InterruptedRun& run);

}  // namespace gtune
