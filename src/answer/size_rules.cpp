#include "answer/size_rules.hpp"

#include <set>

#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {

bool SizeRules::same_kind(const Problem& a, const Problem& b) const {
  return same_choices(m_spec, a, b);
}

bool SizeRules::is_valid(const Case& asked) const { return satisfies(m_spec, asked); }

std::optional<LaunchWork> SizeRules::work(const Case& of) const {
  return m_work_terms.work(slot_values(m_spec, of));
}

Config SizeRules::instance_of(const Config& config) const {
  Config instance = config;
  for (const Parameter* param : m_launch_only.of(config)) {
    instance.set(param->name, param->values.front());
  }
  return instance;
}

std::vector<Config> SizeRules::launches_of(const Config& config) const {
  std::vector<Config> launches = {config};
  const Config existing = existing_values(m_spec, config);
  for (const Parameter* param : m_launch_only.of(config)) {
    if (!existing.find(param->name)) continue;  // it has one value here
    if (launches.size() * param->values.size() > most_launches) return {config};
    std::vector<Config> more;
    for (const Config& each : launches) {
      for (const std::int64_t value : param->values) {
        more.push_back(each);
        more.back().set(param->name, value);
      }
    }
    launches = std::move(more);
  }
  return launches;
}

std::vector<Config> SizeRules::launches_of(const std::vector<Config>& configs) const {
  std::vector<Config> all;
  std::set<std::vector<NamedValues::Entry>> listed;
  for (const Config& config : configs) {
    // An instance with too many launches to list keeps only those in `configs`.
    if (listed.contains(config.entries())) continue;
    for (Config& launch : launches_of(config)) {
      listed.insert(launch.entries());
      all.push_back(std::move(launch));
    }
  }
  return all;
}

}  // namespace gtune
