#include "jit/kernel_request.hpp"

#include "jit/include_scanner.hpp"
#include "jit/nvrtc_library.hpp"
#include "model/hash.hpp"
#include "spec/evaluate.hpp"

namespace gtune {

KernelSource::KernelSource(const std::filesystem::path& file)
    : m_name(file.filename().string()), m_text(read_text(file)) {
  std::vector<std::filesystem::path> folders = {file.parent_path()};
  if (const auto cuda = cuda_include_folder()) folders.push_back(*cuda);
  std::string all;
  for (const auto& include : scan_includes(file, folders)) all += read_text(include) + '\0';
  m_includes_digest = hex_digest(all);
  for (const auto& folder : folders) m_include_options.push_back("-I" + folder.string());
}

KernelSource::KernelSource(std::string_view text, std::string name)
    : m_name(std::move(name)), m_text(text) {}

KernelRequest KernelSource::request(const std::string& entry,
                                    const std::vector<std::string>& options,
                                    const std::string& arch) const {
  KernelRequest request;
  request.compile.source = m_text;
  request.compile.source_name = m_name;
  request.compile.entry = entry;
  // -lineinfo changes no code and lets profilers point at lines.
  request.compile.options = {"--gpu-architecture=" + arch, "-std=c++17", "-lineinfo",
                             "--ptxas-options=-v"};
  request.compile.options.insert(request.compile.options.end(), m_include_options.begin(),
                                 m_include_options.end());
  request.compile.options.insert(request.compile.options.end(), options.begin(), options.end());
  request.includes_digest = m_includes_digest;
  return request;
}

KernelRequest kernel_request(const KernelSource& source, const KernelSpec& spec,
                             const std::string& entry, const Config& config,
                             const std::string& arch) {
  return source.request(instantiate_entry(entry, config), compile_options(spec, config), arch);
}

}  // namespace gtune
