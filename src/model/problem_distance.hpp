#pragma once

#include "model/named_values.hpp"

namespace gtune {

/// The Euclidean distance of the logarithms of two problems' sizes, in octaves. Missing sizes, and
/// sizes below one, count as one.
[[nodiscard]] double distance(const Problem& a, const Problem& b);

}  // namespace gtune
