#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// A spec among those that come with the program.
struct CatalogEntry {
  std::string name;  // the file's stem where the spec cannot be read
  std::filesystem::path file;
  std::string help;
  std::optional<std::string> error;        // why the spec cannot be read
  std::shared_ptr<const KernelSpec> spec;  // else
};

/// FOLDER/kernels of each data folder that has it.
[[nodiscard]] std::vector<std::filesystem::path> kernel_folders(
    std::span<const std::filesystem::path> data_folders);

/// The specs FOLDER/tuner_configs/*.toml, sorted by name. Of two with one name, the one in the
/// earlier folder.
[[nodiscard]] std::vector<CatalogEntry> list_specs(
    std::span<const std::filesystem::path> data_folders);
/// Those of them that have one of these names. Most of the others are not read: it takes longer
/// than a query.
[[nodiscard]] std::vector<CatalogEntry> find_specs(
    std::span<const std::filesystem::path> data_folders, const std::vector<std::string>& names);

}  // namespace gtune
