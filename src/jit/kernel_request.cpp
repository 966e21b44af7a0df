#include "jit/kernel_request.hpp"

#include <algorithm>

#include "jit/include_scanner.hpp"
#include "jit/nvrtc_library.hpp"
#include "jit/source_directives.hpp"
#include "spec/evaluate.hpp"
#include "system/hash.hpp"

namespace gtune {

KernelSource::KernelSource(const std::filesystem::path& file)
    : m_file(std::filesystem::absolute(file)),
      m_name(file.filename().string()),
      m_text(read_text(file)) {
  const auto cuda = cuda_include_folder();
  if (!cuda) return;
  m_toolkit.push_back(*cuda);
  // Since CUDA 13 <cuda/...> is here.
  if (std::filesystem::is_directory(*cuda / "cccl")) m_toolkit.push_back(*cuda / "cccl");
}

KernelSource::KernelSource(std::string_view text, std::string name)
    : m_name(std::move(name)), m_text(text) {}

IncludeSearch KernelSource::search(const std::vector<std::string>& options) const {
  IncludeSearch search = include_search(m_file, options);
  search.folders.insert(search.folders.begin() + 1, m_toolkit.begin(), m_toolkit.end());
  search.toolkit = m_toolkit;
  return search;
}

const IncludeScan& KernelSource::includes(const IncludeSearch& search) const {
  const auto known = m_scans.find(search);
  if (known != m_scans.end()) return known->second;
  return m_scans.emplace(search, scan_includes(m_file, search)).first->second;
}

std::shared_ptr<const SourceState> KernelSource::state(const IncludeSearch& search) const {
  auto& state = m_states[search];
  if (!state) state = std::make_shared<const SourceState>(includes(search).files);
  return state;
}

namespace {

/// NVRTC 12 takes one standard at most.
bool names_standard(const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [](const std::string& option) {
    return option.starts_with("-std") || option.starts_with("--std");
  });
}

}  // namespace

KernelRequest KernelSource::request(const std::string& entry,
                                    const std::vector<std::string>& options,
                                    const std::string& arch) const {
  KernelRequest request;
  request.compile.source = m_text;
  request.compile.source_name = m_name;
  request.compile.folder = m_file.parent_path().string();
  request.compile.entry = entry;
  // -lineinfo changes no code and lets profilers point at lines.
  request.compile.options = {"--gpu-architecture=" + arch, "-lineinfo", "--ptxas-options=-v",
                             fixed_names_option};
  if (!names_standard(options)) request.compile.options.emplace_back("-std=c++17");
  request.includes_digest = hex_digest("");
  if (!m_file.empty()) {
    request.compile.options.push_back("-I" + request.compile.folder);
    for (const auto& folder : m_toolkit) {
      request.compile.options.push_back("-I" + folder.string());
    }
    const IncludeSearch search = this->search(options);
    request.includes = state(search);
    request.includes_digest.reset();
    if (includes(search).complete()) request.includes_digest = request.includes->digest();
  }
  request.compile.options.insert(request.compile.options.end(), options.begin(), options.end());
  return request;
}

bool KernelSource::mentions(const std::string& word,
                            const std::vector<std::string>& options) const {
  const auto known = m_mentioned.find(word);
  if (known != m_mentioned.end()) return known->second;
  const IncludeScan& scan = includes(search(options));
  // What is found nowhere is not found by the compiler either. Pasted tokens are not looked for.
  const auto has_it = [&](const std::string& text) {
    const std::vector<Reading> readings = readings_of(text);
    return std::any_of(readings.begin(), readings.end(), [&](const Reading& reading) {
      const std::string spliced = without_splices(text, reading);
      return spliced.find(word) != std::string::npos || spliced.find("##") != std::string::npos ||
             spliced.find("%:%:") != std::string::npos;
    });
  };
  const bool found = !scan.complete() || has_it(m_text) ||
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
  for (const auto& [name, value] : config.entries()) {
    if (are_plain(spec.options, name) && !source.mentions(name, spec.options)) {
      std::erase(options, "-D" + name + "=" + std::to_string(value));
    }
  }
  return source.request(entry_for(spec, entry, problem, config, device), options, device.arch());
}

}  // namespace gtune
