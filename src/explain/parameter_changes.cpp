#include "explain/parameter_changes.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "explain/only_difference.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_most_changes = 3;

using ChangeKey = std::tuple<std::string, std::int64_t, std::int64_t>;

/// Adds a pair to the mean.
void add_pair(ParameterChange& change, const ConfigCause& from, const ConfigCause& to) {
  const double n = change.pairs;
  const auto joined = [n](double mean, double value) { return (mean * n + value) / (n + 1); };
  change.before = joined(change.before, from.amount);
  change.after = joined(change.after, to.amount);
  change.time_change = joined(change.time_change, to.ms / from.ms - 1);
  ++change.pairs;
}

/// Each change of one parameter away from the explained configuration's value.
std::map<ChangeKey, ParameterChange> all_changes(const Config& explained,
                                                 const std::vector<ConfigCause>& measured) {
  std::map<ChangeKey, ParameterChange> changes;
  std::map<ChangeKey, ParameterChange> own;
  for (const ConfigCause& from : measured) {
    for (const ConfigCause& to : measured) {
      const auto parameter = only_difference(from.config, to.config);
      if (!parameter || explained.find(*parameter) != from.config.find(*parameter)) continue;
      const ChangeKey key{*parameter, *from.config.find(*parameter), *to.config.find(*parameter)};
      add_pair(from.config == explained ? own[key] : changes[key], from, to);
    }
  }
  for (auto& [key, change] : own) {
    change.of_own_config = true;
    changes[key] = change;  // says more than the mean of others
  }
  return changes;
}

}  // namespace

MeasuredChanges measured_changes(const Config& explained, const std::vector<ConfigCause>& measured,
                                 FallsClearly falls) {
  MeasuredChanges out;
  if (explained.empty()) return out;
  std::vector<ParameterChange>& helpful = out.helpful;
  for (auto& [key, change] : all_changes(explained, measured)) {
    ++out.compared;
    if (!falls(change.before, change.after)) continue;
    std::tie(change.parameter, change.from, change.to) = key;
    const bool is_another = helpful.empty() || helpful.back().parameter != change.parameter;
    if (is_another) {
      helpful.push_back(change);
    } else if (change.time_change < helpful.back().time_change) {
      helpful.back() = change;
    }
  }
  std::stable_sort(helpful.begin(), helpful.end(),
                   [](const ParameterChange& a, const ParameterChange& b) {
                     return a.time_change < b.time_change;
                   });
  if (helpful.size() > k_most_changes) helpful.resize(k_most_changes);
  return out;
}

}  // namespace gtune
