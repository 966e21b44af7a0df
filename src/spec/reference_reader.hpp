#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "spec/spec_context.hpp"

namespace gtune {

/// 'reference' of [check]; nothing for "none". `spec`: read so far, arguments and baselines
/// included. `source_folders`: where CUDA files are looked for.
[[nodiscard]] std::optional<ReferenceSpec> read_reference(
    const SpecContext& context, const TomlValue& value, const KernelSpec& spec,
    std::span<const std::filesystem::path> source_folders);

/// { files = { OUTPUT = "FILE", ... } }: what every output has to be.
[[nodiscard]] std::vector<ResultFile> read_result_files(const SpecContext& context,
                                                        const TomlValue& table,
                                                        const KernelSpec& spec);

}  // namespace gtune
