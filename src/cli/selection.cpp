#include "cli/selection.hpp"

#include <algorithm>

#include "cli/current_identity.hpp"
#include "model/error.hpp"
#include "space/enumerate.hpp"
#include "space/restrict.hpp"
#include "spec/evaluate.hpp"
#include "system/hash.hpp"

namespace gtune {

Selection::Selection(const KernelSpec& spec, const std::vector<std::string>& params,
                     const std::vector<std::string>& configs, bool in_sweep)
    : m_narrowing(parse_narrowing(spec, params)), m_in_sweep(in_sweep) {
  for (const std::string& text : configs) m_configs.push_back(parse_config(spec, text));
  if (!m_configs.empty() && !m_narrowing.empty()) {
    throw UserError(ExitCode::usage, "--config and --param exclude each other");
  }
}

SearchSpace Selection::space(const Environment& env, const Problem& problem) const {
  SearchSpace chosen = m_configs.empty()
                           ? enumerate(env.spec, problem, env.device(), m_narrowing).space
                           : given_configs(env, problem);
  return env.device().replayed ? restrict_to(chosen, env.recorded_configs) : chosen;
}

SearchSpace Selection::given_configs(const Environment& env, const Problem& problem) const {
  std::vector<Config> valid;
  for (const Config& config : m_configs) {
    const Case there{problem, config, env.device()};
    if (!m_in_sweep) require_valid(env.spec, there);
    if (satisfies(env.spec, there)) valid.push_back(config);
  }
  if (valid.empty()) require_valid(env.spec, {problem, m_configs.front(), env.device()});
  return SearchSpace::from_configs(valid);
}

std::size_t Selection::count_invalid(const Environment& env, const Problem& problem) const {
  return static_cast<std::size_t>(
      std::count_if(m_configs.begin(), m_configs.end(), [&](const Config& config) {
        return !satisfies(env.spec, {problem, config, env.device()});
      }));
}

RunIdentity Selection::identity(const RunSettings& settings, const Environment& env) const {
  std::string text =
      settings.strategy + ';' + settings.budget.text() + ';' + std::to_string(settings.seed) + ';';
  if (settings.budget.may_end_early) text += "may end early;";
  if (settings.objective != Objective::time) {
    text += "objective " + std::string(to_string(settings.objective)) + ';';
  }
  for (const auto& [name, values] : m_narrowing) {
    text += name + '=';
    for (const std::int64_t value : values) text += std::to_string(value) + ',';
    text += ';';
  }
  for (const Config& config : m_configs) text += config.text() + ';';
  // Results of a recording have its source and spec, whichever the present ones are.
  if (env.device().replayed) {
    const KernelIdentity present = current_identity(env.spec);
    if (env.identity.source_hash != present.source_hash ||
        env.identity.spec_hash != present.spec_hash) {
      text += present.source_hash + ';' + present.spec_hash + ';';
    }
  }
  return {hex_digest(text), m_narrowing.empty() && m_configs.empty()};
}

}  // namespace gtune
