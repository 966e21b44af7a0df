#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "spec/spec_context.hpp"

namespace gtune {

/// How each output is compared: 'rtol' and 'atol' of [check], and what [check.outputs.NAME] says
/// instead. `spec`: arguments are read. `has_reference`: then floating outputs need an 'rtol'.
[[nodiscard]] std::vector<OutputCheckSpec> read_output_checks(
    const SpecContext& context, const TomlValue& check, const KernelSpec& spec, bool has_reference,
    std::span<const std::filesystem::path> source_folders);

}  // namespace gtune
