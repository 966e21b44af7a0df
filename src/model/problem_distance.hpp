#pragma once

#include "model/named_values.hpp"

namespace gtune {

/// How far apart two problems are: the Euclidean distance of the logarithms of their sizes, in
/// octaves. Sizes that either lacks count as one; so do sizes below one.
[[nodiscard]] double distance(const Problem& a, const Problem& b);

}  // namespace gtune
