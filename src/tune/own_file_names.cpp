#include "tune/own_file_names.hpp"

#include <filesystem>
#include <system_error>

#include "spec/evaluate.hpp"

namespace gtune {

namespace fs = std::filesystem;

namespace {

/// The compiler may name a file by a path through a link.
fs::path resolved(const fs::path& file) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(file, error);
  return error ? file : path;
}

}  // namespace

OwnFileNames::OwnFileNames(const KernelSpec& spec, const KernelSources& sources, const Config& config) {
  const fs::path folder = resolved(spec.source).parent_path();
  for (const fs::path& source : spec.sources()) {
    for (const fs::path& file : sources.of(source).own_files(compile_options(spec, config))) {
      const fs::path path = resolved(file);
      m_names[path.string()] = path.lexically_relative(folder).string();
    }
  }
}

void OwnFileNames::shorten(LineProfile& profile) const {
  for (LineSamples& line : profile.lines) {
    const auto name = m_names.find(resolved(line.file).string());
    if (name != m_names.end()) line.file = name->second;
  }
}

}  // namespace gtune
