#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// Finds the CUDA file that a spec names in the first of `folders` that has it. `what` names the
/// key in errors.
[[nodiscard]] std::filesystem::path find_source(const SpecContext& context, const TomlValue& name,
                                                const std::string& what,
                                                std::span<const std::filesystem::path> folders);

}  // namespace gtune
