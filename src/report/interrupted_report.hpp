#pragma once

#include <cstdint>
#include <optional>

#include "model/measurement.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// A run on one problem that the user ended.
struct InterruptedRun {
  Problem problem;
  std::optional<Measurement> best;  // of the search: the fastest that was correct there
  std::uint64_t tried = 0;          // configurations
  std::uint64_t space_size = 0;
};

[[nodiscard]] Document interrupted_report(const KernelSpec& spec, const InterruptedRun& run);

}  // namespace gtune
