#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/plan.hpp"

namespace gtune {

/// Limit on the total of all arrays of one problem.
inline constexpr std::size_t most_array_bytes = std::size_t{960} << 20;

/// Reads a file as elements of this type. NAME.npy is in NumPy's format (versions 1 to 3, C order,
/// the same type). NAME.mtx is a MatrixMarket coordinate matrix; `part` selects "row_offsets"
/// (CSR), "columns" or "values". Any other file has raw elements. Throws a UserError that names the
/// file if it cannot be read or does not have `count` elements.
[[nodiscard]] std::vector<std::byte> read_array(const std::filesystem::path& file,
                                                const std::string& part, ElementType type,
                                                std::int64_t count);

}  // namespace gtune
