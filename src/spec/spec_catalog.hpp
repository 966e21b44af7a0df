#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// A spec that comes with the program.
struct CatalogEntry {
  std::string name;  // the file's stem if the spec cannot be read
  std::filesystem::path file;
  std::string help;
  std::optional<std::string> error;        // why the spec cannot be read
  std::shared_ptr<const KernelSpec> spec;  // null if there is an error
};

/// FOLDER/kernels of each data folder that has it.
[[nodiscard]] std::vector<std::filesystem::path> kernel_folders(
    std::span<const std::filesystem::path> data_folders);

/// The specs FOLDER/tuner_configs/*.toml, sorted by name. If two have the same name, the one in the
/// earlier folder is listed.
[[nodiscard]] std::vector<CatalogEntry> list_specs(
    std::span<const std::filesystem::path> data_folders);
/// The specs with one of these names. Skips parsing most others, which would outlast a query.
[[nodiscard]] std::vector<CatalogEntry> find_specs(
    std::span<const std::filesystem::path> data_folders, const std::vector<std::string>& names);

}  // namespace gtune
