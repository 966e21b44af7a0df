#pragma once

#include <string>
#include <vector>

#include "space/narrowing.hpp"
#include "space/search_space.hpp"
#include "tune/environment.hpp"
#include "tune/tune_problem.hpp"

namespace gtune {

/// What of a spec's space is to be looked at: all of it, some values of some parameters
/// (--param), or a few configurations (--config).
class Selection {
 public:
  /// Throws UserError (usage) for what the spec does not have.
  Selection(const KernelSpec& spec, const std::vector<std::string>& params,
            const std::vector<std::string>& configs);

  /// The configurations for this problem; of a recording only those that it holds. Throws
  /// UserError where a configuration violates a constraint.
  [[nodiscard]] SearchSpace space(const Environment& environment, const Problem& problem) const;
  /// Two runs with the same of this may return each other's result.
  [[nodiscard]] RunIdentity identity(const RunSettings& settings) const;

 private:
  Narrowing m_narrowing;
  std::vector<Config> m_configs;  // empty: the (narrowed) space
};

}  // namespace gtune
