#include "cli/version_text.hpp"

#include <fmt/format.h>

#include <functional>

#include "gpu/device.hpp"
#include "gtune_version.hpp"
#include "jit/nvrtc_library.hpp"
#include "model/error.hpp"
#include "profile/cupti_library.hpp"
#include "store/sqlite_version.hpp"

namespace gtune {
namespace {

std::string line(std::string_view name, const std::function<std::string()>& find_version) {
  std::string found;
  try {
    found = find_version();
  } catch (const UserError& error) {
    found = std::string("not found: ") + error.what();
  }
  return fmt::format("{:<13} {}\n", name, found);
}

}  // namespace

std::string version_text() {
  return line("gtune", [] { return std::string(version); }) +
         line("CUDA runtime", cuda_runtime_version) + line("NVRTC", nvrtc_version) +
         line("CUPTI", cupti_version) + line("SQLite", sqlite_version);
}

}  // namespace gtune
