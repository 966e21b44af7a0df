#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace gtune {

/// Folders that may hold tuner_configs/, kernels/ and db/, the first one first: $GTUNE_DATA, the
/// folder of the program, the one above it (a build folder inside the sources), and
/// ../share/gtune (an installation). Only those that have tuner_configs/; throws UserError (usage)
/// if $GTUNE_DATA is set and has none.
[[nodiscard]] std::vector<std::filesystem::path> data_folders();

/// The bundled results: db/shipped.db of the first folder that has one.
[[nodiscard]] std::optional<std::filesystem::path> bundled_database();

/// Path of this program.
[[nodiscard]] std::filesystem::path program_path();

}  // namespace gtune
