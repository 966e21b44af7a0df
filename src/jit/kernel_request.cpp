#include "jit/kernel_request.hpp"

#include <algorithm>

#include "jit/compile_for_host.hpp"
#include "jit/include_scanner.hpp"
#include "jit/nvcc_toolchain.hpp"
#include "jit/nvrtc_library.hpp"
#include "jit/source_directives.hpp"
#include "model/one_line.hpp"
#include "model/value_word.hpp"
#include "spec/compiler_options.hpp"
#include "spec/evaluate.hpp"
#include "system/data_folders.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

std::optional<std::filesystem::path> find_standard_headers() {
  for (const std::filesystem::path& folder : data_folders()) {
    std::error_code error;
    auto headers = std::filesystem::canonical(folder / "kernels/standard_headers", error);
    if (!error) return headers;
  }
  return std::nullopt;
}

}  // namespace

KernelSource::KernelSource(const std::filesystem::path& file, Compiler compiler)
    : m_file(std::filesystem::absolute(file)),
      m_name(file.filename().string()),
      m_text(read_text(file)),
      m_header_lines(count_header_lines(m_text)),
      m_compiler(compiler) {
  refuse_encoding(file, m_text);
}

KernelSource::KernelSource(std::string_view text, std::string name)
    : m_name(std::move(name)), m_text(text) {}

const std::vector<std::filesystem::path>& KernelSource::toolkit() const {
  if (m_toolkit) return *m_toolkit;
  if (m_compiler == Compiler::nvcc) return m_toolkit.emplace(nvcc_toolchain().include_folders);
  m_toolkit.emplace();
  const auto cuda = cuda_include_folder();
  if (!cuda || m_file.empty()) return *m_toolkit;
  m_toolkit->push_back(*cuda);
  // CUDA 13 moved <cuda/...> to this folder.
  if (std::filesystem::is_directory(*cuda / "cccl")) m_toolkit->push_back(*cuda / "cccl");
  return *m_toolkit;
}

const std::optional<std::filesystem::path>& KernelSource::standard_headers() const {
  if (!m_standard_headers) {
    const bool may_need_them = m_compiler == Compiler::nvrtc && !m_file.empty();
    m_standard_headers = may_need_them ? find_standard_headers() : std::nullopt;
  }
  return *m_standard_headers;
}

IncludeSearch KernelSource::search(const std::vector<std::string>& options) const {
  IncludeSearch search = include_search(m_file, options);
  // NVRTC searches the toolkit right after the source's folder, nvcc after the options' folders.
  const bool is_nvcc = m_compiler == Compiler::nvcc;
  search.toolkit = toolkit();
  search.folders.insert(is_nvcc ? search.folders.end() : search.folders.begin() + 1,
                        search.toolkit.begin(), search.toolkit.end());
  if (const auto& standard = standard_headers()) {  // last: those of the source come first
    search.toolkit.push_back(*standard);
    search.folders.push_back(*standard);
  }
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

KernelSources::KernelSources(const KernelSpec& spec) {
  for (const auto& file : spec.sources()) m_sources.try_emplace(file, file, spec.compiler);
}

namespace {

/// Both paths are canonical.
bool is_in(const std::filesystem::path& folder, const std::filesystem::path& file) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

/// The identifiers in any reading of the text.
std::set<std::string> identifiers_of(const std::string& text) {
  std::set<std::string> all;
  for (const Reading& reading : readings_of(text)) all.merge(read_identifiers(text, reading));
  return all;
}

/// Whether a text has a word, even in comments and literals: headers are too large to tokenize.
/// Also true if a word may continue on the next line.
bool has_word(std::string_view text, const std::string& word) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && is_identifier_part(text[at]);
  };
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    if (!is_part(at - 1) && !is_part(at + word.size())) return true;
  }
  for (auto at = text.find("\\\n"); at != text.npos; at = text.find("\\\n", at + 1)) {
    if (is_part(at - 1) && is_part(at + 2)) return true;
  }
  return false;
}

/// Whether an option is given. NVRTC 12 accepts each option that gtune adds only once.
bool has_option(const std::vector<std::string>& options, std::string_view name,
                std::string_view other) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    return option.starts_with(name) || option.starts_with(other);
  });
}

}  // namespace

KernelRequest KernelSource::request(const std::vector<std::string>& entries,
                                    const std::vector<std::string>& options,
                                    const std::string& arch) const {
  KernelRequest request;
  request.compile.source = m_text;
  request.compile.source_name = m_name;
  request.compile.folder = m_file.parent_path().string();
  request.compile.entries = entries;
  std::vector<std::string>& ours = request.compile.options;
  ours.push_back("--gpu-architecture=" + arch);
  // Lets profilers point at lines; the code stays the same.
  if (!has_option(options, "-lineinfo", "--generate-line-info")) ours.emplace_back("-lineinfo");
  ours.emplace_back("--ptxas-options=-v");
  ours.emplace_back(fixed_names_option);
  if (!has_option(options, "-std", "--std")) ours.emplace_back("-std=c++17");
  request.includes_digest = hex_digest("");
  bool needs_standard_headers = false;
  if (!m_file.empty()) {
    request.compile.options.push_back("-I" + request.compile.folder);
    if (m_compiler == Compiler::nvcc) {  // nvcc knows its own toolkit
      request.compile.nvcc = nvcc_toolchain().file.string();
      request.nvcc_version = nvcc_toolchain().version;
    } else {
      for (const auto& folder : toolkit()) {
        request.compile.options.push_back("-I" + folder.string());
      }
    }
    const IncludeSearch search = this->search(options);
    request.includes = state(search);
    request.includes_digest.reset();
    if (includes(search).complete()) request.includes_digest = request.includes->digest();
    needs_standard_headers = includes_standard_headers(search);
  }
  request.compile.options.insert(request.compile.options.end(), options.begin(), options.end());
  if (needs_standard_headers) {  // last: the user's folders come first
    request.compile.options.push_back("-I" + standard_headers()->string());
  }
  if (m_compiler == Compiler::nvrtc) request.compile.header_lines = m_header_lines;
  return request;
}

std::vector<std::filesystem::path> KernelSource::own_files(
    const std::vector<std::string>& options) const {
  std::vector<std::filesystem::path> files = includes(search(options)).own;
  files.insert(files.begin(), m_file);
  return files;
}

bool KernelSource::is_of_toolkit(const std::filesystem::path& file) const {
  if (const auto& standard = standard_headers(); standard && is_in(*standard, file)) return true;
  return std::any_of(toolkit().begin(), toolkit().end(), [&](const auto& folder) {
    std::error_code error;
    const auto root = std::filesystem::canonical(folder, error);
    return !error && is_in(root, file);
  });
}

bool KernelSource::includes_standard_headers(const IncludeSearch& search) const {
  const auto& standard = standard_headers();
  if (!standard) return false;
  const auto& files = includes(search).files;  // sorted
  const auto first = std::lower_bound(files.begin(), files.end(), *standard);
  return first != files.end() && is_in(*standard, *first);
}

const KernelSource::Names& KernelSource::own_names(const std::vector<std::string>& options) const {
  const IncludeSearch search = this->search(options);
  const auto known = m_own_names.find(search);
  if (known != m_own_names.end()) return known->second;
  const IncludeScan& scan = includes(search);
  Names names{identifiers_of(m_text), scan.own_complete};
  for (const auto& file : scan.own) names.identifiers.merge(identifiers_of(read_text(file)));
  return m_own_names.emplace(search, std::move(names)).first->second;
}

bool KernelSource::names(const std::string& word, const std::vector<std::string>& options) const {
  const Names& own = own_names(options);
  if (!own.complete || own.identifiers.contains(word)) return true;
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    return defined_macro(option) && identifiers_of(option).contains(word);
  });
}

bool KernelSource::headers_name(const std::string& word,
                                const std::vector<std::string>& options) const {
  const IncludeSearch search = this->search(options);
  auto& known = m_named_by_headers[search];
  if (const auto found = known.find(word); found != known.end()) return found->second;
  const IncludeScan& scan = includes(search);
  const bool named = !scan.complete() || has_word(first_lines(m_text, m_header_lines), word) ||
                     std::any_of(scan.files.begin(), scan.files.end(),
                                 [&](const auto& file) { return has_word(read_text(file), word); });
  return known.emplace(word, named).first->second;
}

std::optional<std::filesystem::path> KernelSource::other_file_that_names(
    const std::string& word, const std::vector<std::string>& options) const {
  const IncludeScan& scan = includes(search(options));
  for (const auto& file : scan.files) {
    const bool own = std::binary_search(scan.own.begin(), scan.own.end(), file);
    if (own || is_of_toolkit(file)) continue;
    if (identifiers_of(read_text(file)).contains(word)) return file;
  }
  return std::nullopt;
}

std::vector<std::string> macro_notes(const KernelSource& source, const KernelSpec& spec) {
  Config first;
  for (const Parameter& param : spec.params) first.set(param.name, param.values.front());
  const std::vector<std::string> options = compile_options(spec, first);
  std::vector<std::string> notes;
  for (const std::string& name : possible_macros(spec)) {
    if (source.names(name, options)) continue;
    const auto file = source.other_file_that_names(name, options);
    if (!file) continue;
    notes.push_back(one_line("parameter '" + name +
                             "' is not defined as a macro: " + file->filename().string() +
                             " names it, but is not one of the kernel's own files; if it has to "
                             "be, write macros = { " +
                             name + " = \"" + name + "\" } into [kernel]"));
  }
  return notes;
}

KernelRequest host_reference_request(const KernelSpec& spec, const Case& of) {
  const ReferenceSpec& reference = *spec.check.reference;
  const std::filesystem::path file = std::filesystem::absolute(reference.source);
  KernelRequest request;
  request.compile.source = read_text(file);
  request.compile.source_name = file.filename().string();
  request.compile.folder = file.parent_path().string();
  request.compile.entries = {entry_for(spec, reference.host_entry, of)};
  request.compile.options = compile_options(spec, of.config);
  request.compile.options.insert(request.compile.options.begin(), "-I" + request.compile.folder);
  request.compile.host_compiler = host_compiler().string();
  return request;
}

namespace {

std::vector<std::string> late_macros(const KernelSource& source, const CompileRequest& request,
                                     const NamedValues& macros,
                                     const std::vector<std::string>& given) {
  if (request.header_lines == 0) return {};
  // The place of a definition matters if an option undefines or redefines its macro.
  for (const std::string& option : given) {
    if (option.starts_with("-U") || option.starts_with("--undefine-macro")) return {};
    const auto again = defined_macro(option);
    if (again && macros.find(*again)) return {};
  }
  std::vector<std::string> late;
  for (const auto& [name, value] : macros.entries()) {
    if (!source.headers_name(name, given)) late.push_back(name + "=" + value_text(value));
  }
  return late;
}

}  // namespace

KernelRequest kernel_request(const KernelSource& source, const KernelSpec& spec,
                             const std::vector<StepSpec>& steps, const Case& of) {
  const std::vector<std::string> given = compile_options(spec, of.config);
  NamedValues macros;
  for (const std::string& name : possible_macros(spec)) {
    // A parameter that only affects the launch is not passed: one compile serves all its values.
    const auto value = of.config.find(name);
    if (value && source.names(name, given)) macros.set(name, *value);
  }
  const NamedValues stated = stated_macros(spec, of);
  for (const auto& [name, value] : stated.entries()) macros.set(name, value);
  std::vector<std::string> options;
  for (const auto& [name, value] : macros.entries()) {
    options.push_back("-D" + name + "=" + value_text(value));
  }
  options.insert(options.end(), given.begin(), given.end());
  KernelRequest request = source.request(entries_for(spec, steps, of), options, of.device.arch());
  request.compile.late_macros = late_macros(source, request.compile, macros, given);
  return request;
}

}  // namespace gtune
