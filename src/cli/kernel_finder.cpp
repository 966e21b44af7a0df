#include "cli/kernel_finder.hpp"

#include "model/error.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {

KernelFinder::KernelFinder(std::vector<std::filesystem::path> data_folders)
    : m_folders(std::move(data_folders)) {}

std::shared_ptr<const KernelSpec> KernelFinder::find(const std::string& name) {
  auto known = m_named.find(name);
  if (known == m_named.end()) {
    std::vector<CatalogEntry> entries = find_specs(m_folders, {name});
    std::optional<CatalogEntry> entry;
    if (!entries.empty()) entry = std::move(entries.front());
    known = m_named.emplace(name, std::move(entry)).first;
  }
  const std::optional<CatalogEntry>& entry = known->second;
  if (!entry) return nullptr;
  if (entry->error) throw UserError(ExitCode::usage, *entry->error);
  return entry->spec;
}

std::shared_ptr<const KernelSpec> KernelFinder::read(const std::filesystem::path& file) {
  auto known = m_files.find(file);
  if (known == m_files.end()) {
    auto spec = std::make_shared<const KernelSpec>(read_spec(file, kernel_folders(m_folders)));
    known = m_files.emplace(file, std::move(spec)).first;
  }
  return known->second;
}

const std::vector<CatalogEntry>& KernelFinder::all() {
  if (!m_all) m_all = list_specs(m_folders);
  return *m_all;
}

std::vector<std::string> KernelFinder::names() {
  std::vector<std::string> names;
  for (const CatalogEntry& entry : all()) names.push_back(entry.name);
  return names;
}

}  // namespace gtune
