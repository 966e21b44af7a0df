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
  /// `in_sweep`: for several problems, of which each takes the configurations of --config that are
  /// valid for it.
  Selection(const KernelSpec& spec, const std::vector<std::string>& params,
            const std::vector<std::string>& configs, bool in_sweep);

  /// How many configurations of --config are not valid for this problem.
  [[nodiscard]] std::size_t count_invalid(const Environment& environment,
                                          const Problem& problem) const;
  /// The configurations for this problem; in a replay only those that the recording has. Throws
  /// UserError if a configuration of --config is not valid; in a sweep, if none is.
  [[nodiscard]] SearchSpace space(const Environment& environment, const Problem& problem) const;
  /// Runs with equal identities may return each other's result.
  [[nodiscard]] RunIdentity identity(const RunSettings& settings, const Environment& env) const;

 private:
  [[nodiscard]] SearchSpace given_configs(const Environment& environment,
                                          const Problem& problem) const;

  Narrowing m_narrowing;
  std::vector<Config> m_configs;  // empty: the (narrowed) space
  bool m_in_sweep = false;
};

}  // namespace gtune
