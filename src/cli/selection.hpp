#pragma once

#include <string>
#include <vector>

#include "space/narrowing.hpp"
#include "space/search_space.hpp"
#include "tune/environment.hpp"
#include "tune/tune_problem.hpp"

namespace gtune {

/// The part of a spec's space to search: all of it, some values of some parameters (--param), or a
/// few configurations (--config).
class Selection {
 public:
  /// Throws UserError (usage) for names or values that the spec lacks, or if both are given.
  Selection(const KernelSpec& spec, const std::vector<std::string>& params,
            const std::vector<std::string>& configs);

  /// The configurations for this problem; in a replay only those that the recording has. Throws
  /// UserError if a configuration of --config is not valid.
  [[nodiscard]] SearchSpace space(const Environment& environment, const Problem& problem) const;
  /// Runs with equal identities may return each other's result.
  [[nodiscard]] RunIdentity identity(const RunSettings& settings) const;

 private:
  Narrowing m_narrowing;
  std::vector<Config> m_configs;  // empty: the (narrowed) space
};

}  // namespace gtune
