#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Drawings of one line, in the block characters of Unicode, for terminals.
namespace gtune {

/// A bar of `share` (0..1) of `width` columns, to an eighth of a column; at least an eighth.
[[nodiscard]] std::string bar(double share, std::size_t width);

/// A column for each of at most `width` of the values, evenly spaced, the last one included; their
/// heights are shares (0..1).
[[nodiscard]] std::string sparkline(const std::vector<double>& shares, std::size_t width);

}  // namespace gtune
