#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace gtune {

struct Parameter;

/// By what to sort the values of a parameter, or of a size (nullptr): numbers by value, then words
/// in the order of the spec.
[[nodiscard]] std::int64_t rank_of(const Parameter* parameter, std::int64_t value);

/// The values in that order.
[[nodiscard]] std::vector<std::int64_t> in_order(const Parameter* parameter,
                                                 const std::set<std::int64_t>& values);

}  // namespace gtune
