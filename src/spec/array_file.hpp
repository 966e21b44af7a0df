#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/plan.hpp"

namespace gtune {

/// Of all arrays of one problem together.
inline constexpr std::size_t most_array_bytes = std::size_t{960} << 20;

/// The elements that a file holds, as a buffer of this type has them. NAME.npy is NumPy's format
/// (versions 1 to 3, C order, the same type), NAME.mtx a MatrixMarket coordinate matrix, of which
/// `part` is "row_offsets" (CSR), "columns" or "values"; anything else is the raw elements. Throws
/// UserError that names the file where it cannot be read or is not of `count` elements.
[[nodiscard]] std::vector<std::byte> read_array(const std::filesystem::path& file,
                                                const std::string& part, ElementType type,
                                                std::int64_t count);

}  // namespace gtune
