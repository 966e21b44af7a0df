#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"
#include "spec/spec_catalog.hpp"

namespace gtune {

/// Finds the bundled kernels by name, and those of the user by file. Reads a spec when it is asked
/// for, and keeps it.
class KernelFinder {
 public:
  explicit KernelFinder(std::vector<std::filesystem::path> data_folders);

  /// Null if no kernel has this name. Throws UserError (usage) if its spec has mistakes.
  [[nodiscard]] std::shared_ptr<const KernelSpec> find(const std::string& name);
  /// Throws UserError as read_spec does.
  [[nodiscard]] std::shared_ptr<const KernelSpec> read(const std::filesystem::path& file);
  /// Every bundled kernel, including those whose spec has a mistake.
  [[nodiscard]] const std::vector<CatalogEntry>& all();
  [[nodiscard]] std::vector<std::string> names();
  [[nodiscard]] const std::vector<std::filesystem::path>& data_folders() const { return m_folders; }

 private:
  std::vector<std::filesystem::path> m_folders;
  std::map<std::string, std::optional<CatalogEntry>> m_named;
  std::map<std::filesystem::path, std::shared_ptr<const KernelSpec>> m_files;
  std::optional<std::vector<CatalogEntry>> m_all;
};

}  // namespace gtune
