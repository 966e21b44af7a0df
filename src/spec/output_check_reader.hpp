#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads how each output is compared: 'rtol' and 'atol' of [check], which [check.outputs.NAME] can
/// override. `spec` must have its arguments. If `has_reference`, floating outputs need an 'rtol'.
[[nodiscard]] std::vector<OutputCheckSpec> read_output_checks(
    const SpecContext& context, const TomlValue& check, const KernelSpec& spec, bool has_reference,
    std::span<const std::filesystem::path> source_folders);

}  // namespace gtune
