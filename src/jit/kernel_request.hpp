#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jit/compile_request.hpp"
#include "jit/include_scanner.hpp"
#include "jit/source_state.hpp"
#include "model/case.hpp"
#include "model/compiler.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A compile request and everything else that its result depends on.
struct KernelRequest {
  CompileRequest compile;
  // Digest of the paths and contents of all included files. Absent if they cannot be determined;
  // the result must then not be cached.
  std::optional<std::string> includes_digest;
  std::shared_ptr<const SourceState> includes;  // the known included files; null: none
  std::string nvcc_version = {};                // empty for NVRTC
};

/// Text and include digest of one kernel source, read once for many configurations.
class KernelSource {
 public:
  explicit KernelSource(const std::filesystem::path& file, Compiler compiler = Compiler::nvrtc);
  /// A source that is part of the program and includes nothing.
  KernelSource(std::string_view text, std::string name);

  /// Throws UserError if it must be compiled with nvcc and there is none.
  [[nodiscard]] KernelRequest request(const std::vector<std::string>& entries,
                                      const std::vector<std::string>& options,
                                      const std::string& arch) const;

  /// Whether `word` is an identifier in the kernel's own files (see IncludeScan) or in a macro that
  /// these options define. Also true if an own file is unknown.
  [[nodiscard]] bool names(const std::string& word, const std::vector<std::string>& options) const;
  /// Whether `word` may affect the headers at the source's beginning, or the text before them.
  [[nodiscard]] bool headers_name(const std::string& word,
                                  const std::vector<std::string>& options) const;
  /// A file with `word` that belongs neither to the kernel nor to the toolkit.
  [[nodiscard]] std::optional<std::filesystem::path> other_file_that_names(
      const std::string& word, const std::vector<std::string>& options) const;
  /// The source and the kernel's own headers (see IncludeScan).
  [[nodiscard]] std::vector<std::filesystem::path> own_files(
      const std::vector<std::string>& options) const;
  /// The search path for includes in a compile with these options.
  [[nodiscard]] IncludeSearch search(const std::vector<std::string>& options) const;

 private:
  struct Names {
    std::set<std::string> identifiers;
    bool complete = true;
  };

  [[nodiscard]] const Names& own_names(const std::vector<std::string>& options) const;
  [[nodiscard]] const std::vector<std::filesystem::path>& toolkit() const;
  /// The folder of the standard headers that NVRTC lacks; absent: not found, or not NVRTC.
  [[nodiscard]] const std::optional<std::filesystem::path>& standard_headers() const;
  /// The toolkit's folders, or the standard headers'.
  [[nodiscard]] bool is_of_toolkit(const std::filesystem::path& file) const;
  [[nodiscard]] bool includes_standard_headers(const IncludeSearch& search) const;
  [[nodiscard]] const IncludeScan& includes(const IncludeSearch& search) const;
  [[nodiscard]] std::shared_ptr<const SourceState> state(const IncludeSearch& search) const;

  std::filesystem::path m_file;  // absolute; empty: part of the program
  std::string m_name;
  std::string m_text;
  std::size_t m_header_lines = 0;  // see CompileRequest
  Compiler m_compiler = Compiler::nvrtc;
  mutable std::optional<std::vector<std::filesystem::path>> m_toolkit;  // found on first use
  mutable std::optional<std::optional<std::filesystem::path>> m_standard_headers;  // likewise
  // Nearly all requests have the same search path.
  mutable std::map<IncludeSearch, IncludeScan> m_scans;
  mutable std::map<IncludeSearch, std::shared_ptr<const SourceState>> m_states;
  mutable std::map<IncludeSearch, Names> m_own_names;
  mutable std::map<IncludeSearch, std::map<std::string, bool>> m_named_by_headers;
};

/// The files of a spec, each read once.
class KernelSources {
 public:
  explicit KernelSources(const KernelSpec& spec);
  /// `file`: one of spec.sources().
  [[nodiscard]] const KernelSource& of(const std::filesystem::path& file) const {
    return m_sources.at(file);
  }

 private:
  std::map<std::filesystem::path, KernelSource> m_sources;
};

/// One line for the user per parameter that is not passed as a macro, although a file outside the
/// kernel's own files names it.
[[nodiscard]] std::vector<std::string> macro_notes(const KernelSource& source,
                                                   const KernelSpec& spec);

/// The request for the host function that is the spec's reference. It is never cached.
[[nodiscard]] KernelRequest host_reference_request(const KernelSpec& spec, const Case& of);

/// The request for the entries of these steps in one configuration. The problem matters if an entry
/// names a size, or a let that depends on one.
[[nodiscard]] KernelRequest kernel_request(const KernelSource& source, const KernelSpec& spec,
                                           const std::vector<StepSpec>& steps, const Case& of);

}  // namespace gtune
