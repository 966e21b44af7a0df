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

bool KernelSource::mentions(const std::string& word, const Folders& folders) const {
  const auto known = m_mentioned.find(word);
  if (known != m_mentioned.end()) return known->second;
  Folders all = m_folders;
  all.insert(all.end(), folders.begin(), folders.end());
  const IncludeScan scan = scan_includes(m_file, all);
  // What is found nowhere is not found by the compiler either. Pasted tokens are not looked for.
  const auto has_it = [&](const std::string& text) {
    return text.find(word) != std::string::npos || text.find("##") != std::string::npos;
  };
  const bool found = !scan.complete || has_it(m_text) ||
                     std::any_of(scan.files.begin(), scan.files.end(),
                                 [&](const auto& file) { return has_it(read_text(file)); });
  m_mentioned.emplace(word, found);
  return found;
}

namespace {

/// Whether the options are of kinds that name no parameter and bring no file in.
bool are_plain(const std::vector<std::string>& options, const std::string& word) {
  return std::all_of(options.begin(), options.end(), [&](const std::string& option) {
    return option.find(word) == std::string::npos && option.find("include") == std::string::npos &&
           option.find("pch") == std::string::npos;
  });
}

}  // namespace

KernelRequest kernel_request(const KernelSource& source, const KernelSpec& spec,
                             const std::string& entry, const Problem& problem, const Config& config,
                             const DeviceFacts& device) {
  std::vector<std::string> options = compile_options(spec, config);
  // A parameter of the launch alone does not make another kernel of it: one compile serves all.
  const auto folders = include_folders(spec.options);
  for (const auto& [name, value] : config.entries()) {
    if (are_plain(spec.options, name) && !source.mentions(name, folders)) {
      std::erase(options, "-D" + name + "=" + std::to_string(value));
    }
  }
  return source.request(entry_for(spec, entry, problem, config, device), options, device.arch());
}

}  // namespace gtune
