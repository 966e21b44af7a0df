#include "answer/time_model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "answer/launch_work.hpp"

namespace gtune {
namespace {

/// How strongly a fit is held to the previous one. The fit of all instances says little about one
/// instance, the fit of an instance a little more about its launches.
constexpr double stiffness_of_all = 0.01;
constexpr double stiffness_of_instance = 0.03;
constexpr double stiffness_of_launch = 0.05;
/// The fit of all instances is good enough with this many measurements.
constexpr std::size_t enough_of_all = 4096;
constexpr std::int64_t most_resident = 1024;

gtune_parts parts_of(const LaunchWork& work, const DeviceFacts& device, std::int64_t resident) {
  const gtune_work shared = {work.padded, work.traffic, work.blocks, work.bytes, 1};
  return gtune_parts_of(&shared, device.sm_count, resident);
}

double uncorrected_ms(const PartTimes& work, const PartTimes& ms) {
  return std::inner_product(work.begin(), work.end(), ms.begin(), 0.0);
}

using Matrix = std::array<PartTimes, work_parts>;

/// Solves a system with a positive definite matrix, by Cholesky decomposition.
PartTimes solve(Matrix a, PartTimes b) {
  for (std::size_t i = 0; i < work_parts; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j][j];
    }
  }
  for (std::size_t i = 0; i < work_parts; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = work_parts; i-- > 0;) {
    for (std::size_t k = i + 1; k < work_parts; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

}  // namespace

ModelTime model_time(const ConfigModel& config, const LaunchWork& work, const gtune_spot& spot,
                     const DeviceFacts& device) {
  const gtune_parts parts = parts_of(work, device, config.resident);
  const double ms = gtune_expected_ms(&parts, config.ms.data());
  return {ms * gtune_factor(&spot, config.factors.expected.data()),
          ms * gtune_factor(&spot, config.factors.compared.data())};
}

std::optional<ModelTime> model_time(const SizeRules& rules, const TimeModel& model,
                                    std::size_t place, const Case& of) {
  const auto work = rules.work(of);
  if (!work) return std::nullopt;
  return model_time(*model.configs[place], *work, model.grid.spot(of.problem), of.device);
}

std::optional<ExpectedConfig> expected_fastest(const SizeRules& rules, const TimeModel& model,
                                               const std::vector<Config>& configs,
                                               const Problem& problem, const DeviceFacts& on,
                                               const std::function<bool(std::size_t)>& may_be) {
  std::optional<ExpectedConfig> best;
  const gtune_spot spot = model.grid.spot(problem);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (!model.configs[i] || (may_be && !may_be(i))) continue;
    const Case asked{problem, configs[i], on};
    const auto work = rules.work(asked);
    if (!work) continue;
    const ModelTime time = model_time(*model.configs[i], *work, spot, on);
    if (best && time.compared_ms > best->time.compared_ms) continue;
    if (best && time.compared_ms == best->time.compared_ms &&
        !(configs[i].values() < configs[best->place].values())) {
      continue;
    }
    // Takes longest, so it comes last.
    if (rules.is_valid(asked)) best = {i, time};
  }
  return best;
}

MeasuredGroup::MeasuredGroup(const SizeRules& rules, const ConfigSpeed& first)
    : m_rules(&rules), m_device(first.device), m_kind(first.problem), m_mode(first.mode) {}

bool MeasuredGroup::is_of(const DeviceFacts& device, const TimingMode& mode,
                          const Problem& problem) const {
  return device.name == m_device.name && device.replayed == m_device.replayed && mode == m_mode &&
         m_rules->same_kind(problem, m_kind);
}

bool MeasuredGroup::has(const ConfigSpeed& speed) const {
  return is_of(speed.device, speed.mode, speed.problem);
}

bool MeasuredGroup::has(const Winner& winner) const {
  return is_of(winner.device, winner.mode, winner.problem);
}

void MeasuredGroup::add(const ConfigSpeed& speed) {
  const auto number_of = [](Numbers& numbers, std::vector<std::int64_t> values) {
    return numbers.try_emplace(std::move(values), numbers.size()).first->second;
  };
  const std::size_t config = number_of(m_configs, speed.config.values());
  if (config == m_instance_of.size()) {
    m_instance_of.push_back(number_of(m_instances, m_rules->instance_of(speed.config).values()));
  }
  const auto work = m_rules->work({speed.problem, speed.config, speed.device});
  if (!work || !(speed.median_ms > 0) || !std::isfinite(speed.median_ms)) return;
  const std::int64_t resident = std::clamp<std::int64_t>(speed.blocks_per_sm, 1, most_resident);
  const gtune_parts parts = parts_of(*work, speed.device, resident);
  const std::size_t problem = number_of(m_problem_numbers, speed.problem.values());
  if (problem == m_problems.size()) m_problems.push_back(speed.problem);
  m_samples.push_back({problem, config, m_instance_of[config], resident, std::to_array(parts.part),
                       speed.median_ms});
}

std::optional<std::size_t> MeasuredGroup::instance_of(const Config& config) const {
  if (const auto known = m_configs.find(config.values()); known != m_configs.end()) {
    return m_instance_of[known->second];
  }
  const auto number = m_instances.find(m_rules->instance_of(config).values());
  return number == m_instances.end() ? std::nullopt : std::optional(number->second);
}

/// At most `enough` samples, evenly spaced.
MeasuredGroup::Samples MeasuredGroup::spread(const Samples& samples, std::size_t enough) {
  const std::size_t step = (samples.size() - 1) / enough + 1;
  Samples some;
  for (std::size_t i = 0; i < samples.size(); i += step) some.push_back(samples[i]);
  return some;
}

/// Milliseconds per unit of each part's work if all parts took equal shares of the time; the median
/// over the samples.
PartTimes MeasuredGroup::first_guess(const Samples& samples) {
  PartTimes guess{};
  for (std::size_t part = 0; part < work_parts; ++part) {
    std::vector<double> shares;
    for (const Sample* sample : samples) {
      if (sample->work[part] > 0) {
        shares.push_back(sample->median_ms / sample->work[part] / double{work_parts});
      }
    }
    if (shares.empty()) continue;
    const auto middle = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2);
    std::nth_element(shares.begin(), middle, shares.end());
    guess[part] = *middle;
  }
  return guess;
}

/// Least squares of the logarithms of times over the logarithms of the parts' milliseconds, with a
/// penalty of `stiffness` for the square of their change from `before`. By the Levenberg-Marquardt
/// method.
PartTimes MeasuredGroup::fit(const Samples& samples, const PartTimes& before, double stiffness) {
  struct Point {
    double cost = 0;
    Matrix curvature{};
    PartTimes slope{};
  };
  const auto at = [&](const PartTimes& ms) {
    Point point;
    for (std::size_t i = 0; i < work_parts; ++i) {
      const double off = before[i] > 0 ? std::log(ms[i] / before[i]) : 0;
      point.cost += stiffness * off * off;
      point.curvature[i][i] = stiffness;
      point.slope[i] = stiffness * off;
    }
    for (const Sample* sample : samples) {
      PartTimes share;
      double sum = 0;
      for (std::size_t i = 0; i < work_parts; ++i) sum += share[i] = sample->work[i] * ms[i];
      const double off = std::log(sum / sample->median_ms);
      point.cost += off * off;
      for (std::size_t i = 0; i < work_parts; ++i) {
        share[i] /= sum;
        point.slope[i] += share[i] * off;
        for (std::size_t j = 0; j <= i; ++j) point.curvature[i][j] += share[i] * share[j];
      }
    }
    return point;
  };
  PartTimes best = before;
  Point here = at(best);
  double damping = 1;
  for (int i = 0; i < 40 && damping < 1e8; ++i) {
    Matrix damped = here.curvature;
    for (std::size_t j = 0; j < work_parts; ++j) damped[j][j] *= 1 + damping;
    const PartTimes step = solve(damped, here.slope);
    PartTimes next = best;
    for (std::size_t j = 0; j < work_parts; ++j) {
      next[j] *= std::exp(-std::clamp(step[j], -5.0, 5.0));
    }
    Point there = at(next);
    if (!(there.cost <= here.cost)) {
      damping *= 5;
      continue;
    }
    const bool is_done = here.cost - there.cost <= 1e-5 * here.cost;
    best = next;
    here = there;
    damping /= 5;
    if (is_done) break;
  }
  return best;
}

TimeModel MeasuredGroup::fit(const std::vector<Config>& configs,
                             const std::function<bool(const Problem&)>& is_out) const {
  TimeModel model{m_device, m_kind, m_mode, {m_rules->spec(), m_problems}, {}};
  Samples all;
  std::vector<Samples> of_instance(m_instances.size());
  std::vector<bool> out;
  for (const Problem& problem : m_problems) out.push_back(is_out && is_out(problem));
  for (const Sample& sample : m_samples) {
    if (out[sample.problem]) continue;
    all.push_back(&sample);
    of_instance[sample.instance].push_back(&sample);
  }
  model.configs.resize(configs.size());
  if (all.empty()) return model;
  const Samples some = spread(all, enough_of_all);
  const PartTimes of_all = fit(some, first_guess(some), stiffness_of_all);
  Nearness nearness;
  for (const Problem& problem : m_problems) nearness.push_back(model.grid.nearness(problem));
  std::map<std::size_t, PartTimes> fitted;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const auto number = instance_of(configs[i]);
    if (!number || of_instance[*number].empty()) continue;
    const Samples& known = of_instance[*number];
    const auto [instance, is_new] = fitted.try_emplace(*number);
    if (is_new) instance->second = fit(known, of_all, stiffness_of_instance);
    model.configs[i] = fit_launch(configs[i], known, instance->second, nearness);
  }
  return model;
}

ConfigModel MeasuredGroup::fit_launch(const Config& config, const Samples& of_instance,
                                      const PartTimes& instance, const Nearness& nearness) const {
  Samples own;
  if (const auto number = m_configs.find(config.values()); number != m_configs.end()) {
    std::copy_if(of_instance.begin(), of_instance.end(), std::back_inserter(own),
                 [&](const Sample* sample) { return sample->config == number->second; });
  }
  ConfigModel model;
  model.resident = (own.empty() ? of_instance : own).back()->resident;
  model.ms = own.empty() ? instance : fit(own, instance, stiffness_of_launch);
  Corrections corrections(nearness.front().size());
  for (const Sample* sample : own) {
    corrections.add(nearness[sample->problem], sample->median_ms,
                    uncorrected_ms(sample->work, model.ms));
  }
  model.factors = corrections.factors();
  return model;
}

std::vector<double> MeasuredGroup::errors(const std::vector<Config>& configs,
                                          std::size_t parts) const {
  std::vector<std::optional<std::size_t>> places(m_configs.size());
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (const auto number = m_configs.find(configs[i].values()); number != m_configs.end()) {
      places[number->second] = i;
    }
  }
  std::vector<double> errors;
  for (std::size_t part = 0; part < parts; ++part) {
    const TimeModel model = fit(configs, [&](const Problem& problem) {
      return m_problem_numbers.at(problem.values()) % parts == part;
    });
    std::vector<gtune_spot> spots;
    for (const Problem& problem : m_problems) spots.push_back(model.grid.spot(problem));
    for (const Sample& sample : m_samples) {
      const auto place = places[sample.config];
      if (!place || sample.problem % parts != part) continue;
      const auto& config = model.configs[*place];
      if (!config) continue;
      const double expected = uncorrected_ms(sample.work, config->ms) *
                              gtune_factor(&spots[sample.problem], config->factors.expected.data());
      errors.push_back(std::abs(sample.median_ms / expected - 1));
    }
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

std::vector<MeasuredGroup> group_speeds(const SizeRules& rules,
                                        const std::vector<ConfigSpeed>& speeds) {
  std::vector<MeasuredGroup> groups;
  for (const ConfigSpeed& speed : speeds) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const MeasuredGroup& each) { return each.has(speed); });
    if (group == groups.end()) group = groups.emplace(group, rules, speed);
    group->add(speed);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const MeasuredGroup& a, const MeasuredGroup& b) {
                     return std::tuple(a.device().replayed, a.mode(), b.size()) <
                            std::tuple(b.device().replayed, b.mode(), a.size());
                   });
  return groups;
}

std::vector<TimeModel> fit_models(const std::vector<MeasuredGroup>& groups,
                                  const std::vector<Config>& configs) {
  std::vector<TimeModel> models;
  for (const MeasuredGroup& group : groups) models.push_back(group.fit(configs));
  return models;
}

}  // namespace gtune
