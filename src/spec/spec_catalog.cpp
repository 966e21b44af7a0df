#include "spec/spec_catalog.hpp"

#include <algorithm>
#include <functional>
#include <system_error>

#include "model/error.hpp"
#include "spec/spec_reader.hpp"
#include "spec/spec_text.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// Whether the spec's text has one of the names in quotes, or the file has such a name. Also true
/// if the file cannot be read, or an escape sequence might hide a name.
bool may_be_called(const fs::path& file, const std::vector<std::string>& names) {
  std::string text;
  try {
    text = read_spec_text(file);
  } catch (const UserError&) {
    return true;
  }
  if (text.find('\\') != std::string::npos) return true;
  const std::string stem = file.stem().string();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name == stem || text.find('"' + name + '"') != std::string::npos ||
           text.find('\'' + name + '\'') != std::string::npos;
  });
}

CatalogEntry read_entry(const fs::path& file, std::span<const fs::path> folders) {
  CatalogEntry entry{file.stem().string(), file, {}, std::nullopt, nullptr};
  try {
    entry.spec = std::make_shared<const KernelSpec>(read_spec(file, folders));
    entry.name = entry.spec->name;
    entry.help = entry.spec->help;
  } catch (const UserError& error) {
    entry.error = error.what();
  }
  return entry;
}

std::vector<fs::path> toml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".toml") files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Reads the files for which `may_be_wanted` is true.
std::vector<CatalogEntry> read_entries(std::span<const fs::path> data_folders,
                                       const std::function<bool(const fs::path&)>& may_be_wanted) {
  const std::vector<fs::path> kernels = kernel_folders(data_folders);
  std::vector<CatalogEntry> entries;
  for (const fs::path& folder : data_folders) {
    for (const fs::path& file : toml_files(folder / "tuner_configs")) {
      if (!may_be_wanted(file)) continue;
      CatalogEntry entry = read_entry(file, kernels);
      const auto same = [&](const CatalogEntry& other) { return other.name == entry.name; };
      if (std::none_of(entries.begin(), entries.end(), same)) entries.push_back(std::move(entry));
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const CatalogEntry& a, const CatalogEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace

std::vector<fs::path> kernel_folders(std::span<const fs::path> data_folders) {
  std::vector<fs::path> folders;
  for (const fs::path& folder : data_folders) {
    std::error_code ignored;
    if (fs::is_directory(folder / "kernels", ignored)) folders.push_back(folder / "kernels");
  }
  return folders;
}

std::vector<CatalogEntry> list_specs(std::span<const fs::path> data_folders) {
  return read_entries(data_folders, [](const fs::path&) { return true; });
}

std::vector<CatalogEntry> find_specs(std::span<const fs::path> data_folders,
                                     const std::vector<std::string>& names) {
  std::vector<CatalogEntry> entries =
      read_entries(data_folders, [&](const fs::path& file) { return may_be_called(file, names); });
  std::erase_if(entries, [&](const CatalogEntry& entry) {
    return std::find(names.begin(), names.end(), entry.name) == names.end();
  });
  return entries;
}

}  // namespace gtune
