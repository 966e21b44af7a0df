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

/// A compile, and what else its result depends on.
struct KernelRequest {
  CompileRequest compile;
  // Over every file that the source includes, place and contents; absent where that cannot be
  // told, and the result must not be cached.
  std::optional<std::string> includes_digest;
  std::shared_ptr<const SourceState> includes;  // as far as they are known; null: none
  std::string nvcc_version = {};                // of the compiler, where that is nvcc
};

/// Source text and include digest of one kernel file, read once for many configurations.
class KernelSource {
 public:
  explicit KernelSource(const std::filesystem::path& file, Compiler compiler = Compiler::nvrtc);
  /// A source that is part of the program and includes nothing.
  KernelSource(std::string_view text, std::string name);

  /// Throws UserError where nvcc is to compile it and is not there.
  [[nodiscard]] KernelRequest request(const std::vector<std::string>& entries,
                                      const std::vector<std::string>& options,
                                      const std::string& arch) const;

  /// Whether one of the kernel's own files (see IncludeScan), or a macro that these options define,
  /// has the identifier `word`; true where an own file cannot be known.
  [[nodiscard]] bool names(const std::string& word, const std::vector<std::string>& options) const;
  /// Whether it may mean something to the headers that the source begins with, or to what stands
  /// before them.
  [[nodiscard]] bool headers_name(const std::string& word,
                                  const std::vector<std::string>& options) const;
  /// A file that has it and is neither the kernel's own nor the toolkit's.
  [[nodiscard]] std::optional<std::filesystem::path> other_file_that_names(
      const std::string& word, const std::vector<std::string>& options) const;
  /// The source, and the files that it includes and that are the kernel's own.
  [[nodiscard]] std::vector<std::filesystem::path> own_files(
      const std::vector<std::string>& options) const;
  /// How a compile with these options looks for includes.
  [[nodiscard]] IncludeSearch search(const std::vector<std::string>& options) const;

 private:
  struct Names {
    std::set<std::string> identifiers;
    bool complete = true;
  };

  [[nodiscard]] const Names& own_names(const std::vector<std::string>& options) const;
  [[nodiscard]] const std::vector<std::filesystem::path>& toolkit() const;
  [[nodiscard]] bool is_of_toolkit(const std::filesystem::path& file) const;
  [[nodiscard]] const IncludeScan& includes(const IncludeSearch& search) const;
  [[nodiscard]] std::shared_ptr<const SourceState> state(const IncludeSearch& search) const;

  std::filesystem::path m_file;  // absolute; empty: part of the program
  std::string m_name;
  std::string m_text;
  std::size_t m_header_lines = 0;  // see CompileRequest
  Compiler m_compiler = Compiler::nvrtc;
  mutable std::optional<std::vector<std::filesystem::path>> m_toolkit;  // looked for when needed
  // The same for nearly all requests.
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

/// For the user, a line for each parameter that looks like a macro and is none: only a file that is
/// not the kernel's own names it.
[[nodiscard]] std::vector<std::string> macro_notes(const KernelSource& source,
                                                   const KernelSpec& spec);

/// The request for the host function that is the spec's reference. It is never cached.
[[nodiscard]] KernelRequest host_reference_request(const KernelSpec& spec, const Case& of);

/// The request for the entries of steps over a spec's source in one configuration. The problem
/// matters where an entry names a size, or a let that depends on one.
[[nodiscard]] KernelRequest kernel_request(const KernelSource& source, const KernelSpec& spec,
                                           const std::vector<StepSpec>& steps, const Case& of);

}  // namespace gtune
