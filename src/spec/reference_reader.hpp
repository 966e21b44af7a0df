#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "spec/spec_context.hpp"

namespace gtune {

/// Reads 'reference' of [check]; absent for "none". `spec` must have its arguments and baselines.
/// `source_folders`: folders in which CUDA files are looked up.
[[nodiscard]] std::optional<ReferenceSpec> read_reference(
    const SpecContext& context, const TomlValue& value, const KernelSpec& spec,
    std::span<const std::filesystem::path> source_folders);

/// Reads { files = { OUTPUT = "FILE", ... } }: the correct contents of every output.
[[nodiscard]] std::vector<ResultFile> read_result_files(const SpecContext& context,
                                                        const TomlValue& table,
                                                        const KernelSpec& spec);

}  // namespace gtune
