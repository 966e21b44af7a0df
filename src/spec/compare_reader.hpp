#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// 'compare' of [check.outputs.NAME]: an entry that counts what is wrong in this output. Without a
/// reference it cannot have its result.
[[nodiscard]] CompareSpec read_compare(const SpecContext& context, const TomlValue& table,
                                       const std::string& output, const KernelSpec& spec,
                                       bool has_reference,
                                       std::span<const std::filesystem::path> source_folders);

}  // namespace gtune
