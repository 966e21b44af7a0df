#pragma once

#include "model/named_values.hpp"

namespace gtune {

struct BestRow;
struct KernelSpec;

/// The time in ms of a problem if the row's configuration does its stated work at the measured
/// rate; 0 if the spec states no work.
[[nodiscard]] double scaled_ms(const KernelSpec& spec, const Problem& problem, const BestRow& row);

}  // namespace gtune
