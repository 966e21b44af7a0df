#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gtune {

/// The position of a familiar metric or a static fact in a table: by subject, from time through
/// memory to instructions. Others come after all of these.
[[nodiscard]] std::size_t place_of(std::string_view metric);

/// What a value is about.
enum class ValueGroup { time, memory, compute, occupancy, launch, other };

[[nodiscard]] ValueGroup group_of(std::string_view metric);

/// What a value means compared with another one: "reads 12x less from device memory", "the same".
/// Empty for metrics that gtune has no words for.
[[nodiscard]] std::string reading_of(std::string_view metric, double value, double versus);

}  // namespace gtune
