#include "cli/find_kernel.hpp"

#include "model/error.hpp"
#include "spec/spec_catalog.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {

KernelSpec find_kernel(const std::string& name,
                       const std::vector<std::filesystem::path>& data_folders) {
  const auto kernels = kernel_folders(data_folders);
  if (name.ends_with(".toml")) return read_spec(name, kernels);
  std::string known;
  for (const CatalogEntry& entry : list_specs(data_folders)) {
    if (entry.name == name) return read_spec(entry.file, kernels);
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw UserError(ExitCode::usage, "no kernel '" + name + "': expected " +
                                       (known.empty() ? "" : known + ", or ") +
                                       "a spec such as FILE.toml");
}

}  // namespace gtune
