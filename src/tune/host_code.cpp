#include "tune/host_code.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "model/error.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// Follows symbolic links.
bool lies_below(const fs::path& file, const std::string& folder) {
  std::error_code error;
  if (!folder.starts_with('/')) return false;
  const fs::path root = fs::canonical(folder, error);
  if (error) return false;
  const fs::path real = fs::canonical(file, error);
  if (error) return false;
  return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

}  // namespace

void require_trust_in_host_code(const KernelSpec& spec) {
  if (!spec.check.reference || !spec.check.reference->on_host()) return;
  const char* trusted = std::getenv("GTUNE_TRUST");
  std::istringstream folders(trusted == nullptr ? "" : trusted);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (lies_below(spec.file, folder)) return;
  }
  const fs::path own = fs::absolute(spec.file).parent_path();
  throw UserError(ExitCode::usage, spec.file.string() +
                                       ": its reference is a function that runs on this machine as "
                                       "you: look at " +
                                       spec.check.reference->source.string() +
                                       ", then set GTUNE_TRUST=" + own.string() + " to allow it");
}

}  // namespace gtune
