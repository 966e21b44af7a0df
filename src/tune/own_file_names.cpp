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

OwnFileNames::OwnFileNames(const KernelSpec& spec, const KernelSources& sources,
                           const Config& config) {
  const fs::path kernel = resolved(spec.source);
  m_given = spec.source.filename().string();
  m_source = kernel.filename().string();
  for (const fs::path& source : spec.sources()) {
    for (const fs::path& file : sources.of(source).own_files(compile_options(spec, config))) {
      const fs::path path = resolved(file);
      m_names[path.string()] = path.lexically_relative(kernel.parent_path()).string();
    }
  }
}

void OwnFileNames::shorten(LineProfile& profile) const {
  for (LineSamples& line : profile.lines) line.file = short_name(line.file);
}

std::string OwnFileNames::short_name(const std::string& file) const {
  const auto name = m_names.find(resolved(file).string());
  if (name != m_names.end()) return name->second;
  // NVRTC gets the source's name without its folder, and records its working directory.
  return fs::path(file).filename() == m_given ? m_source : file;
}

}  // namespace gtune
