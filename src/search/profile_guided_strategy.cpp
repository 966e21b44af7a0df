#include "search/profile_guided_strategy.hpp"

#include <algorithm>
#include <cmath>

namespace gtune {

namespace {

/// Profiling costs about as much as a measurement: one profile for this many tells.
constexpr std::size_t tells_per_profile = 4;
constexpr std::size_t most_profiled = 120;  // in the models
constexpr std::size_t fewest_profiled = 3;  // fewer do not show how parameters move a metric
constexpr double most_preferred = 4;        // a preference, not a verdict
constexpr int scale_steps = 10;

std::optional<double> value_of(const std::vector<Metric>& metrics, std::string_view name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? std::nullopt : found->value;
}

}  // namespace

ProfileGuidedStrategy::ProfileGuidedStrategy(const SearchSpace& space, std::uint64_t seed,
                                             const ConfigAmounts& amounts)
    : GuidedStrategy(space, seed, amounts),
      m_bytes(encoder().groups(), encoder().group_count()),
      m_issues(encoder().groups(), encoder().group_count()),
      m_occupancy(encoder().groups(), encoder().group_count()) {}

/// The fastest configuration whose metrics were not requested yet.
std::optional<std::size_t> ProfileGuidedStrategy::wants_metrics() {
  if (m_wanted.size() == most_profiled ||
      told().size() < (m_wanted.size() + 1) * tells_per_profile) {
    return std::nullopt;
  }
  for (const Told& each : told()) {
    if (m_wanted.insert(each.index).second) return each.index;
  }
  return std::nullopt;
}

void ProfileGuidedStrategy::tell_metrics(std::size_t index, const std::vector<Metric>& metrics) {
  const auto dram_percent = value_of(metrics, "dram_throughput");
  const auto bytes = value_of(metrics, "dram_bytes");
  const auto instructions = value_of(metrics, "inst_executed");
  const auto conflicts = value_of(metrics, "bank_conflicts");
  const auto occupancy = value_of(metrics, "achieved_occupancy");
  if (!dram_percent || !bytes || !instructions || !conflicts || !occupancy) return;
  m_profiled.push_back({index, log_cost_of(index), std::clamp(*dram_percent / 100, 0.0, 1.0),
                        std::log1p(std::max(*bytes, 0.0)),
                        std::log1p(std::max(*instructions + *conflicts, 0.0)),
                        std::log(std::clamp(*occupancy, 1.0, 100.0))});
  if (m_profiled.size() < fewest_profiled) return;
  fit(m_bytes, &Profiled::log_bytes);
  fit(m_issues, &Profiled::log_issues);
  fit(m_occupancy, &Profiled::log_occupancy);
  find_bottleneck();
}

double ProfileGuidedStrategy::log_cost_of(std::size_t index) const {
  return std::find_if(told().begin(), told().end(),
                      [&](const Told& each) { return each.index == index; })
      ->log_cost;
}

void ProfileGuidedStrategy::fit(GaussianProcess& model, double Profiled::*amount) {
  std::vector<std::vector<double>> points;
  std::vector<double> targets;
  for (const Profiled& each : m_profiled) {
    points.push_back(encoder().encode(each.index));
    targets.push_back(each.*amount);
  }
  model.fit(points, targets);
  model.learn_scales(scale_steps, m_random);
}

/// No metric of a single pass gives the highest possible issue rate, so the highest seen stands for
/// it. Time in which nothing is busy is latency, which more warps hide.
void ProfileGuidedStrategy::find_bottleneck() {
  const auto issue_rate = [](const Profiled& each) { return each.log_issues - each.log_cost; };
  m_fastest = &*std::min_element(
      m_profiled.begin(), m_profiled.end(),
      [](const Profiled& a, const Profiled& b) { return a.log_cost < b.log_cost; });
  const auto highest = std::max_element(
      m_profiled.begin(), m_profiled.end(),
      [&](const Profiled& a, const Profiled& b) { return issue_rate(a) < issue_rate(b); });
  m_issue_use = std::exp(issue_rate(*m_fastest) - issue_rate(*highest));
  m_idle = 1 - std::max(m_fastest->dram_use, m_issue_use);
}

/// The predicted speedup over the fastest one, from doing less of what that one is busy with.
double ProfileGuidedStrategy::preference(std::size_t index) const {
  if (m_fastest == nullptr) return 1;
  const std::vector<double> point = encoder().encode(index);
  const double relief = m_fastest->dram_use * (m_fastest->log_bytes - m_bytes.predict(point).mean) +
                        m_issue_use * (m_fastest->log_issues - m_issues.predict(point).mean) +
                        m_idle * (m_occupancy.predict(point).mean - m_fastest->log_occupancy);
  return std::clamp(std::exp(relief), 1 / most_preferred, most_preferred);
}

}  // namespace gtune
