#pragma once

#include <filesystem>
#include <string>

namespace gtune {

/// What a spec's file holds. Throws UserError (usage) where it cannot be read.
[[nodiscard]] std::string read_spec_text(const std::filesystem::path& file);

}  // namespace gtune
