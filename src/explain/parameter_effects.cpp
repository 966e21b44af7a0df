#include "explain/parameter_effects.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace gtune {
namespace {

using Value = std::pair<std::string, std::int64_t>;  // a parameter and its value

constexpr std::size_t most_interactions = 5;
constexpr double worth_knowing = 0.05;  // how much more two values cost together than alone
/// Configurations with both of two values; the cause of fewer may be a third value.
constexpr std::size_t fewest_together = 3;

/// The measurements of one device and problem, by configuration.
struct Group {
  std::vector<ConfigSpeed> speeds;
  std::map<std::string, std::size_t> places;

  void add(const ConfigSpeed& speed) {
    const auto [place, is_new] = places.emplace(speed.config.text(), speeds.size());
    if (is_new) {
      speeds.push_back(speed);
    } else {
      ConfigSpeed& known = speeds[place->second];
      const bool again = speed.device.uuid == known.device.uuid;
      if (again || speed.median_ms < known.median_ms) known = speed;
    }
  }
};

std::vector<Group> grouped(const std::vector<ConfigSpeed>& speeds) {
  std::vector<Group> groups;
  for (const ConfigSpeed& speed : speeds) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& each) {
      const ConfigSpeed& other = each.speeds.front();
      return other.device.name == speed.device.name &&
             other.device.replayed == speed.device.replayed && other.problem == speed.problem &&
             other.mode == speed.mode;
    });
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->add(speed);
  }
  return groups;
}

struct BestTime {
  double ms = INFINITY;
  std::size_t configurations = 0;

  void add(double time_ms) {
    ms = std::min(ms, time_ms);
    ++configurations;
  }
};

/// The best time with each value, and with each pair of values of different parameters.
struct BestTimes {
  std::map<Value, BestTime> alone;
  std::map<std::pair<Value, Value>, BestTime> together;

  explicit BestTimes(const std::vector<ConfigSpeed>& speeds) {
    for (const ConfigSpeed& speed : speeds) {
      const auto& values = speed.config.entries();
      for (auto first = values.begin(); first != values.end(); ++first) {
        alone[*first].add(speed.median_ms);
        for (auto second = first + 1; second != values.end(); ++second) {
          together[{*first, *second}].add(speed.median_ms);
        }
      }
    }
  }
};

/// Sorts values by cost, lowest first, and parameters by their highest cost, highest first.
void sort(std::vector<ParameterEffect>& effects) {
  for (ParameterEffect& effect : effects) {
    std::stable_sort(effect.values.begin(), effect.values.end(),
                     [](const ValueEffect& a, const ValueEffect& b) { return a.cost < b.cost; });
  }
  std::stable_sort(effects.begin(), effects.end(),
                   [](const ParameterEffect& a, const ParameterEffect& b) {
                     return a.values.back().cost > b.values.back().cost;
                   });
}

ParameterEffect& named(std::vector<ParameterEffect>& effects, const std::string& name) {
  const auto found = std::find_if(effects.begin(), effects.end(),
                                  [&](const ParameterEffect& each) { return each.name == name; });
  if (found != effects.end()) return *found;
  return effects.emplace_back(ParameterEffect{name, {}});
}

/// How many parameters have several values.
std::size_t count_varying(const BestTimes& times) {
  std::map<std::string, std::size_t> values;
  for (const auto& [value, best] : times.alone) ++values[value.first];
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(),
                                                [](const auto& each) { return each.second > 1; }));
}

std::vector<Interaction> find_interactions(const BestTimes& times, double best_ms) {
  const bool has_thirds = count_varying(times) > 2;
  std::vector<Interaction> found;
  for (const auto& [pair, best] : times.together) {
    const auto& [first, second] = pair;
    if (has_thirds && best.configurations < fewest_together) continue;
    const double dearer =
        std::max(times.alone.at(first).ms, times.alone.at(second).ms) / best_ms - 1;
    const double cost = best.ms / best_ms - 1;
    if (cost - dearer < worth_knowing) continue;
    found.push_back({first.first, first.second, second.first, second.second, cost, dearer});
  }
  std::stable_sort(found.begin(), found.end(), [](const Interaction& a, const Interaction& b) {
    return a.cost - a.alone > b.cost - b.alone;
  });
  if (found.size() > most_interactions) found.resize(most_interactions);
  return found;
}

ProblemEffects effects_of(const Group& group) {
  const auto best = std::min_element(
      group.speeds.begin(), group.speeds.end(),
      [](const ConfigSpeed& a, const ConfigSpeed& b) { return a.median_ms < b.median_ms; });
  const BestTimes times(group.speeds);
  ProblemEffects out{
      best->device.name, best->device.replayed, best->problem, group.speeds.size(), *best, {}, {}};
  for (const auto& [name, value] : best->config.entries()) out.parameters.push_back({name, {}});
  for (const auto& [value, time] : times.alone) {
    named(out.parameters, value.first)
        .values.push_back({value.second, time.ms / best->median_ms - 1, 1, time.configurations});
  }
  sort(out.parameters);
  out.interactions = find_interactions(times, best->median_ms);
  return out;
}

}  // namespace

std::vector<ProblemEffects> find_effects(const std::vector<ConfigSpeed>& speeds) {
  std::vector<ProblemEffects> out;
  for (const Group& group : grouped(speeds)) out.push_back(effects_of(group));
  return out;
}

std::vector<ParameterEffect> combine(const std::vector<ProblemEffects>& problems) {
  std::map<Value, ValueEffect> sums;  // cost: the sum of logarithms
  std::vector<ParameterEffect> out;
  for (const ProblemEffects& problem : problems) {
    for (const ParameterEffect& effect : problem.parameters) {
      named(out, effect.name);
      for (const ValueEffect& each : effect.values) {
        const Value key(effect.name, each.value);
        const auto [sum, is_new] = sums.emplace(key, ValueEffect{each.value, 0, 0, 0});
        sum->second.cost += std::log1p(each.cost);
        ++sum->second.problems;
        sum->second.configurations += each.configurations;
      }
    }
  }
  for (const auto& [key, sum] : sums) {
    const double mean = std::expm1(sum.cost / static_cast<double>(sum.problems));
    named(out, key.first).values.push_back({sum.value, mean, sum.problems, sum.configurations});
  }
  sort(out);
  return out;
}

}  // namespace gtune
