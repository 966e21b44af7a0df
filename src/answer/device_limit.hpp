#pragma once

#include "model/named_values.hpp"

namespace gtune {

struct BestRow;
struct KernelSpec;

/// The least time in ms of a problem's work on the row's device, by the limits measured there; 0 if
/// it is not known. A limit that the row itself exceeds does not hold: its work is done by tensor
/// cores, or its data is in L2.
[[nodiscard]] double least_ms_of_work(const KernelSpec& spec, const Problem& problem,
                                      const BestRow& row);

}  // namespace gtune
