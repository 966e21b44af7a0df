#pragma once

#include <filesystem>

#include "exchange/recorded_space.hpp"
#include "model/foreign_json.hpp"

namespace gtune {

/// Reads a recorded space: a recording of gtune, a cache file of Kernel Tuner or T4 results,
/// gzipped or not. Throws UserError with the file and what is wrong with it. `bounds` limit the
/// decompressed text.
[[nodiscard]] RecordedSpace read_space_file(const std::filesystem::path& file,
                                            const JsonBounds& bounds = k_whole_file_bounds);

}  // namespace gtune
