#pragma once

#include <string>

#include "spec/expression.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Problems of a kernel for which an expression over its sizes holds: "M >= 32 && N >= 32".
class ProblemFilter {
 public:
  /// An empty text holds for all problems. Throws UserError (usage), which names `option`.
  ProblemFilter(const KernelSpec& spec, const std::string& option, const std::string& text);

  /// Throws UserError (usage) if the expression has no value.
  [[nodiscard]] bool holds(const Problem& problem) const;

 private:
  const KernelSpec& m_spec;
  std::string m_what;
  Expression m_condition{std::int64_t{1}};
};

}  // namespace gtune
