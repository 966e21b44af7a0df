#pragma once

#include "model/named_values.hpp"

namespace gtune {

struct BestRow;
struct KernelSpec;

/// The time in ms that the row's configuration takes for a problem if it does the spec's work as
/// fast as where it was measured; 0 if the spec states no work.
[[nodiscard]] double scaled_ms(const KernelSpec& spec, const Problem& problem, const BestRow& row);

}  // namespace gtune
