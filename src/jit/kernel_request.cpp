#include "jit/kernel_request.hpp"

#include <algorithm>

#include "jit/include_scanner.hpp"
#include "jit/nvrtc_library.hpp"
#include "model/hash.hpp"
#include "spec/evaluate.hpp"

namespace gtune {

KernelSource::KernelSource(const std::filesystem::path& file)
    : m_file(file),
      m_name(file.filename().string()),
      m_text(read_text(file)),
      m_folders{file.parent_path()} {
  const auto cuda = cuda_include_folder();
  if (!cuda) return;
  m_folders.push_back(*cuda);
  // Since CUDA 13 <cuda/...> is here.
  if (std::filesystem::is_directory(*cuda / "cccl")) m_folders.push_back(*cuda / "cccl");
}

KernelSource::KernelSource(std::string_view text, std::string name)
    : m_name(std::move(name)), m_text(text) {}

std::optional<std::string> KernelSource::includes_digest(const Folders& folders) const {
  if (m_file.empty()) return hex_digest("");
  const auto known = m_digests.find(folders);
  if (known != m_digests.end()) return known->second;
  const IncludeScan scan = scan_includes(m_file, folders);
  std::optional<std::string> digest;
  if (scan.complete) {
    std::string all;
    for (const auto& include : scan.files) all += read_text(include) + '\0';
    digest = hex_digest(all);
  }
  m_digests.emplace(folders, digest);
  return digest;
}

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
  Folders folders = m_folders;
  for (const auto& folder : folders) request.compile.options.push_back("-I" + folder.string());
  const Folders added = include_folders(options);
  folders.insert(folders.end(), added.begin(), added.end());
  request.compile.options.insert(request.compile.options.end(), options.begin(), options.end());
  request.includes_digest = includes_digest(folders);
  return request;
}

bool KernelSource::mentions(const std::string& word) const {
  const auto known = m_mentioned.find(word);
  if (known != m_mentioned.end()) return known->second;
  bool found = m_text.find(word) != std::string::npos;
  if (!found && !m_file.empty()) {
    const IncludeScan scan = scan_includes(m_file, m_folders);
    found = !scan.complete || std::any_of(scan.files.begin(), scan.files.end(), [&](auto& file) {
      return read_text(file).find(word) != std::string::npos;
    });
  }
  m_mentioned.emplace(word, found);
  return found;
}

KernelRequest kernel_request(const KernelSource& source, const KernelSpec& spec,
                             const std::string& entry, const Config& config,
                             const std::string& arch) {
  std::vector<std::string> options = compile_options(spec, config);
  // A parameter of the launch alone does not make another kernel of it: one compile serves all.
  for (const auto& [name, value] : config.entries()) {
    if (!source.mentions(name)) std::erase(options, "-D" + name + "=" + std::to_string(value));
  }
  return source.request(instantiate_entry(entry, config), options, arch);
}

}  // namespace gtune
