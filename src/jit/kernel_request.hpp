#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/compile_request.hpp"
#include "jit/include_scanner.hpp"
#include "jit/source_state.hpp"
#include "model/device_facts.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A compile, and what else its result depends on.
struct KernelRequest {
  CompileRequest compile;
  // Over every file that the source includes, place and contents; absent where that cannot be
  // told, and the result must not be cached.
  std::optional<std::string> includes_digest;
  std::shared_ptr<const SourceState> includes;  // as far as they are known; null: none
};

/// Source text and include digest of one kernel file, read once for many configurations.
class KernelSource {
 public:
  explicit KernelSource(const std::filesystem::path& file);
  /// A source that is part of the program and includes nothing.
  KernelSource(std::string_view text, std::string name);

  [[nodiscard]] KernelRequest request(const std::string& entry,
                                      const std::vector<std::string>& options,
                                      const std::string& arch) const;

  /// Whether `word` stands in the source or in what it includes when compiled with these options;
  /// true where that cannot be told.
  [[nodiscard]] bool mentions(const std::string& word,
                              const std::vector<std::string>& options) const;

 private:
  [[nodiscard]] IncludeSearch search(const std::vector<std::string>& options) const;
  [[nodiscard]] const IncludeScan& includes(const IncludeSearch& search) const;
  [[nodiscard]] std::shared_ptr<const SourceState> state(const IncludeSearch& search) const;

  std::filesystem::path m_file;  // absolute; empty: part of the program
  std::string m_name;
  std::string m_text;
  std::vector<std::filesystem::path> m_toolkit;
  // The same for nearly all requests.
  mutable std::map<IncludeSearch, IncludeScan> m_scans;
  mutable std::map<IncludeSearch, std::shared_ptr<const SourceState>> m_states;
  mutable std::map<std::string, bool> m_mentioned;
};

/// The request for one entry of a spec's source in one configuration. The problem matters where
/// the entry names a size, or a let that depends on one.
[[nodiscard]] KernelRequest kernel_request(const KernelSource& source, const KernelSpec& spec,
                                           const std::string& entry, const Problem& problem,
                                           const Config& config, const DeviceFacts& device);

}  // namespace gtune
