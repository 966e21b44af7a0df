#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gtune {

/// The position of a known metric or static fact in a table: by subject, from time through memory
/// to instructions. Unknown ones come last.
[[nodiscard]] std::size_t place_of(std::string_view metric);

/// What a value is about.
enum class ValueGroup { time, memory, compute, occupancy, launch, other };

[[nodiscard]] ValueGroup group_of(std::string_view metric);

/// A value compared with another one in words: "reads 12x less from device memory", "the same".
/// Empty for unknown metrics.
[[nodiscard]] std::string reading_of(std::string_view metric, double value, double versus);

}  // namespace gtune
