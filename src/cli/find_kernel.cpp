#include "cli/find_kernel.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "model/error.hpp"
#include "spec/spec_reader.hpp"
#include "spec/suggestion.hpp"

namespace gtune {

KernelSpec find_kernel(const std::string& name, const CommandContext& context) {
  if (name.ends_with(".toml")) return read_spec(name, kernel_folders(context.folders));
  for (const CatalogEntry& entry : context.specs) {
    if (entry.name != name) continue;
    if (entry.error) throw UserError(ExitCode::usage, *entry.error);
    return *entry.spec;
  }
  std::vector<std::string> known;
  for (const CatalogEntry& entry : list_specs(context.folders)) known.push_back(entry.name);
  throw UserError(ExitCode::usage,
                  fmt::format("no kernel '{}'{} (there are {}{}specs such as FILE.toml)", name,
                              did_you_mean(name, known), fmt::join(known, ", "),
                              known.empty() ? "" : ", and "));
}

}  // namespace gtune
