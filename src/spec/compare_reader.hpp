#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads 'compare' of [check.outputs.NAME]: an entry that counts the wrong elements of this output.
/// If `has_reference`, its arguments may include the reference's results.
[[nodiscard]] CompareSpec read_compare(const SpecContext& context, const TomlValue& table,
                                       const std::string& output, const KernelSpec& spec,
                                       bool has_reference,
                                       std::span<const std::filesystem::path> source_folders);

}  // namespace gtune
