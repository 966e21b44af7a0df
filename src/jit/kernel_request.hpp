#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "jit/compile_request.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A compile, and what else its result depends on.
struct KernelRequest {
  CompileRequest compile;
  std::string includes_digest;  // over the contents of every file that the source includes
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

 private:
  std::string m_name;
  std::string m_text;
  std::string m_includes_digest;
  std::vector<std::string> m_include_options;
};

/// The request for one entry of a spec's source in one configuration.
[[nodiscard]] KernelRequest kernel_request(const KernelSource& source, const KernelSpec& spec,
                                           const std::string& entry, const Config& config,
                                           const std::string& arch);

}  // namespace gtune
