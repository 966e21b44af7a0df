#include "system/toolkit_library.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "model/error.hpp"
#include "system/toolkit_folders.hpp"

namespace gtune {
namespace {

using std::filesystem::path;

/// The file that the user's environment names; empty if none.
std::string named_by_user(const ToolkitLibraryNames& names) {
  const char* named = std::getenv(names.variable);
  return named == nullptr ? "" : named;
}

std::vector<path> candidates(const ToolkitLibraryNames& names) {
  // A silent fallback from the named file would tune with the wrong library.
  if (const std::string named = named_by_user(names); !named.empty()) return {named};
  const std::vector<path> files = {names.file + ".13", names.file + ".12", names.file};
  std::vector<path> all = files;
  for (const path& toolkit : toolkit_folders()) {
    for (const path& folder : names.folders) {
      for (const path& file : files) all.push_back(toolkit / folder / file);
    }
  }
  return all;
}

void* open_first(const ToolkitLibraryNames& names) {
  for (const path& candidate : candidates(names)) {
    // A bare name is looked up on the loader's path, and so are its companions.
    if (candidate.has_parent_path() && exists(candidate))
      names.open_companions(candidate.parent_path());
    if (void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  const std::string named = named_by_user(names);
  if (!named.empty()) {
    throw UserError(ExitCode::failed,
                    names.name + " cannot be opened at " + names.variable + "=" + named);
  }
  throw UserError(ExitCode::failed,
                  names.name + " (" + names.file +
                      ", part of the CUDA Toolkit) is neither on the " +
                      "loader's path nor in /usr/local/cuda: install the toolkit, or set " +
                      "CUDA_HOME or " + names.variable);
}

}  // namespace

ToolkitLibrary::ToolkitLibrary(const ToolkitLibraryNames& names)
    : m_name(names.name), m_library(open_first(names)) {}

void* ToolkitLibrary::find(const char* symbol) const {
  void* found = find_if_there(symbol);
  if (found == nullptr) {
    throw UserError(ExitCode::failed, "this " + m_name + " is too old: it has no " + symbol);
  }
  return found;
}

void* ToolkitLibrary::find_if_there(const char* symbol) const { return dlsym(m_library, symbol); }

}  // namespace gtune
