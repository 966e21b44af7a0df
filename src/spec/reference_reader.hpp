#pragma once

#include <filesystem>
#include <span>

#include "spec/spec_context.hpp"

namespace gtune {

/// 'reference' of [check]. `spec`: read so far, arguments included. `source_folders`: where CUDA
/// files are looked for.
[[nodiscard]] ReferenceSpec read_reference(const SpecContext& context, const TomlValue& value,
                                           const KernelSpec& spec,
                                           std::span<const std::filesystem::path> source_folders);

}  // namespace gtune
