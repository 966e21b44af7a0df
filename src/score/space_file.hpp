#pragma once

#include <filesystem>

#include "score/recorded_space.hpp"

namespace gtune {

/// Reads a recorded space: a recording of gtune, a cache file of Kernel Tuner or T4 results,
/// gzipped or not. Throws UserError with the file and what is wrong with it.
[[nodiscard]] RecordedSpace read_space_file(const std::filesystem::path& file);

}  // namespace gtune
