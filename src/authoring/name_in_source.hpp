#pragma once

#include <string>

#include "authoring/source_outline.hpp"

namespace gtune {

/// Spells the names of a source as an entry outside all namespaces may.
class NameInSource {
 public:
  /// Names are looked up from the kernel's namespace.
  NameInSource(const SourceOutline& outline, const OutlinedKernel& kernel);

  /// "ns::Policy<128,4>" of `Policy<128, 4>`, "unsigned int" of `unsigned`; empty if a name is
  /// neither a built-in type nor a class, a function or a constant of the source.
  [[nodiscard]] std::string spelled(const Tokens& text) const;

 private:
  /// The full form of a name such as `layout::RowMajor`; empty if it is unknown.
  [[nodiscard]] std::string full_name(const std::string& written) const;
  [[nodiscard]] bool is_function(const std::string& name) const;

  const SourceOutline& m_outline;
  std::string m_scope;
};

}  // namespace gtune
