#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "spec/spec_context.hpp"

// Readers of [work], [check] and [[baselines]]. `spec` must have been read up to the launch.
namespace gtune {

[[nodiscard]] WorkSpec read_work(const SpecContext& context, const TomlValue& table);
/// `source_folders`: folders in which CUDA files are looked up.
[[nodiscard]] CheckSpec read_check(const SpecContext& context, const TomlValue& table,
                                   const KernelSpec& spec,
                                   std::span<const std::filesystem::path> source_folders);
[[nodiscard]] std::vector<Baseline> read_baselines(const SpecContext& context,
                                                   const TomlValue& list, const KernelSpec& spec);

}  // namespace gtune
