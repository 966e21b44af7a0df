#include "cli/find_kernel.hpp"

#include "model/error.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {

KernelSpec find_kernel(const std::string& name, const CommandContext& context) {
  const auto kernels = kernel_folders(context.folders);
  if (name.ends_with(".toml")) return read_spec(name, kernels);
  for (const CatalogEntry& entry : context.specs) {
    if (entry.name == name) return entry.spec ? *entry.spec : read_spec(entry.file, kernels);
  }
  std::string known;
  for (const CatalogEntry& entry : list_specs(context.folders)) {
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw UserError(ExitCode::usage, "no kernel '" + name + "': expected " +
                                       (known.empty() ? "" : known + ", or ") +
                                       "a spec such as FILE.toml");
}

}  // namespace gtune
