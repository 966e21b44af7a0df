#include "export/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "answer/measured_times.hpp"
#include "export/losses.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

constexpr double unserved = 9;  // cap of a loss, also if no variant is valid: tenfold time
/// The launches of all instances; each takes more than half a kilobyte of a header.
constexpr std::size_t most_launches = 160;
constexpr std::size_t most_launches_each = 10;  // on average, if that is more

/// The groups of launches chosen so far, and the losses of the problems with them.
class Choice {
 public:
  /// Will choose among `candidates`, groups of the table.
  Choice(const LossTable& table, std::vector<std::size_t> candidates)
      : m_table(table),
        m_candidates(std::move(candidates)),
        m_best(table.losses.size(), unknown_loss) {}

  [[nodiscard]] const std::vector<std::size_t>& chosen() const { return m_chosen; }
  [[nodiscard]] double worst() const { return worst_tuned(m_best); }

  void take_all() {
    m_chosen = m_candidates;
    m_best = of(m_chosen);
  }

  /// Adds the candidate with the lowest loss on a tuned problem, if it is not chosen yet.
  void take_best(std::size_t problem) {
    const auto& losses = m_table.losses[problem];
    const std::size_t best =
        *std::min_element(m_candidates.begin(), m_candidates.end(),
                          [&](std::size_t a, std::size_t b) { return losses[a] < losses[b]; });
    if (losses[best] == unknown_loss) return;
    if (std::find(m_chosen.begin(), m_chosen.end(), best) != m_chosen.end()) return;
    m_best = with(best);
    m_chosen.push_back(best);
  }

  /// Adds the candidate that helps most; false if none helps.
  bool grow() {
    const std::vector<double> costs = costs_of(m_best);
    double least = total(costs);
    std::optional<std::size_t> best;
    for (const std::size_t candidate : m_candidates) {
      const double sum = total_with(candidate, costs);
      if (sum >= least) continue;
      least = sum;
      best = candidate;
    }
    if (!best) return false;
    m_best = with(*best);
    m_chosen.push_back(*best);
    return true;
  }

  /// Replaces chosen candidates by others as long as that helps: the first were chosen for what
  /// they do alone. Partitioning around medoids has the same two phases (Kaufman and Rousseeuw,
  /// 1990).
  void swap() {
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 0; i < m_chosen.size(); ++i) better = swap(i) || better;
    }
  }

  /// Drops candidates without which no tuned problem loses more than `most_loss`.
  void prune(double most_loss) {
    for (std::size_t i = 0; i < m_chosen.size();) {
      std::vector<std::size_t> others = m_chosen;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const std::vector<double> best = of(others);
      if (worst_tuned(best) > most_loss) {
        ++i;
        continue;
      }
      m_chosen = std::move(others);
      m_best = best;
    }
  }

  /// Index in chosen() of the candidate that answers a tuned problem: the one with the lowest
  /// measured loss, unless that is high and another is expected to be faster. Absent if none is
  /// valid.
  [[nodiscard]] std::optional<std::size_t> answer(std::size_t problem) const {
    const auto measured = best(problem, [&](std::size_t candidate) {
      return m_table.fastest[problem][candidate].is_measured;
    });
    const bool is_good =
        measured && m_table.losses[problem][m_chosen[*measured]] <= most_measured_loss;
    return is_good ? measured : best(problem, [](std::size_t) { return true; });
  }

  [[nodiscard]] PortfolioStep step() const {
    PortfolioStep out{m_chosen.size(), 0, {}, {}};
    double logs = 0;
    double worst = 0;
    for (std::size_t i = 0; i < m_table.tuned(); ++i) {
      const auto best = answer(i);
      if (!best || !m_table.fastest[i][m_chosen[*best]].is_measured) continue;
      const double loss = m_table.losses[i][m_chosen[*best]];
      ++out.served;
      logs += std::log1p(shown_loss(loss));
      worst = std::max(worst, shown_loss(loss));
    }
    out.mean_loss = std::expm1(logs / static_cast<double>(out.served));
    out.worst_loss = worst;
    return out;
  }

 private:
  template <typename MayBe>
  [[nodiscard]] std::optional<std::size_t> best(std::size_t problem, MayBe may_be) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < m_chosen.size(); ++i) {
      const double loss = m_table.losses[problem][m_chosen[i]];
      if (loss == unknown_loss || !may_be(m_chosen[i])) continue;
      if (!best || loss < m_table.losses[problem][m_chosen[*best]]) best = i;
    }
    return best;
  }

  /// Replaces one chosen candidate by the best other; false if none helps.
  bool swap(std::size_t place) {
    std::vector<std::size_t> others = m_chosen;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
    const std::vector<double> without = of(others);
    const std::vector<double> costs = costs_of(without);
    // Sums in another order differ in their last bits.
    const double sum_before = total(costs_of(m_best));
    double least = sum_before - 1e-9 * std::abs(sum_before);
    std::optional<std::size_t> best;
    for (const std::size_t candidate : m_candidates) {
      const double sum = total_with(candidate, costs);
      if (sum >= least) continue;
      least = sum;
      best = candidate;
    }
    if (!best) return false;
    m_chosen[place] = *best;
    m_best = with(*best, without);
    return true;
  }

  [[nodiscard]] std::vector<double> with(std::size_t candidate) const {
    return with(candidate, m_best);
  }

  [[nodiscard]] std::vector<double> with(std::size_t candidate, std::vector<double> best) const {
    for (std::size_t i = 0; i < best.size(); ++i) {
      best[i] = std::min(best[i], m_table.losses[i][candidate]);
    }
    return best;
  }

  [[nodiscard]] std::vector<double> of(const std::vector<std::size_t>& candidates) const {
    std::vector<double> best(m_best.size(), unknown_loss);
    for (std::size_t i = 0; i < best.size(); ++i) {
      for (const std::size_t each : candidates)
        best[i] = std::min(best[i], m_table.losses[i][each]);
    }
    return best;
  }

  [[nodiscard]] double worst_tuned(const std::vector<double>& losses) const {
    const auto tuned = static_cast<std::ptrdiff_t>(m_table.tuned());
    return *std::max_element(losses.begin(), losses.begin() + tuned);
  }

  /// The problems around the tuned ones together weigh as much as the tuned ones.
  [[nodiscard]] double cost(double loss, std::size_t problem) const {
    const double around = static_cast<double>(m_table.losses.size() - m_table.tuned());
    const double weight =
        problem < m_table.tuned() ? 1 : static_cast<double>(m_table.tuned()) / around;
    return weight * std::log1p(std::min(loss, unserved));
  }

  [[nodiscard]] std::vector<double> costs_of(std::vector<double> losses) const {
    for (std::size_t i = 0; i < losses.size(); ++i) losses[i] = cost(losses[i], i);
    return losses;
  }

  [[nodiscard]] static double total(const std::vector<double>& costs) {
    return std::accumulate(costs.begin(), costs.end(), 0.0);
  }

  [[nodiscard]] const std::vector<double>& candidate_costs(std::size_t candidate) {
    const auto [place, is_new] = m_costs.try_emplace(candidate);
    if (is_new) {
      for (std::size_t i = 0; i < m_table.losses.size(); ++i) {
        place->second.push_back(cost(m_table.losses[i][candidate], i));
      }
    }
    return place->second;
  }

  /// With a further candidate.
  [[nodiscard]] double total_with(std::size_t candidate, const std::vector<double>& costs) {
    return std::inner_product(costs.begin(), costs.end(), candidate_costs(candidate).begin(), 0.0,
                              std::plus(), [](double a, double b) { return std::min(a, b); });
  }

  const LossTable& m_table;
  std::vector<std::size_t> m_candidates;
  std::map<std::size_t, std::vector<double>> m_costs;  // by candidate, then by problem
  std::vector<double> m_best;                          // losses, by problem
  std::vector<std::size_t> m_chosen;
};

std::vector<std::size_t> all_of(const LaunchGroups& groups) {
  std::vector<std::size_t> all(groups.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// Losses as groups are added one after the other, down to those with all of them. The steps in
/// which they were chosen would not be comparable: they had another order, and groups that were
/// dropped later.
std::vector<PortfolioStep> steps_to(const PortfolioStep& last, Choice growing) {
  std::vector<PortfolioStep> steps;
  while (steps.size() + 1 < last.instances && growing.grow()) {
    PortfolioStep& step = steps.emplace_back(growing.step());
    if (step.served == last.served) continue;
    step.mean_loss.reset();
    step.worst_loss.reset();
  }
  while (steps.size() < last.instances) {  // the rest helps no more
    steps.push_back(last);
    steps.back().instances = steps.size();
  }
  return steps;
}

/// The launches of each chosen instance.
LaunchGroups choose_instances(Losses& losses, const PortfolioLimits& limits) {
  const LossTable table = losses.of(losses.instances());
  Choice choice(table, all_of(losses.instances()));
  while (choice.worst() > limits.most_loss &&
         (limits.most_instances == 0 || choice.chosen().size() < limits.most_instances) &&
         choice.grow()) {
  }
  if (choice.worst() > limits.most_loss) choice.swap();
  choice.prune(limits.most_loss);
  LaunchGroups chosen;
  for (const std::size_t instance : choice.chosen()) {
    chosen.push_back(losses.instances()[instance]);
  }
  return chosen;
}

/// How many of these groups are the fastest on a tuned problem.
std::size_t count_fastest(const LossTable& table, const std::vector<std::size_t>& groups) {
  Choice choice(table, groups);
  for (std::size_t i = 0; i < table.tuned(); ++i) choice.take_best(i);
  return choice.chosen().size();
}

/// Limits the launches of these instances to those that help most, after the fastest of each tuned
/// problem, if there is room for all of these. An export that may neither leave out an instance nor
/// lose anything keeps all of them: it chooses what gtune query answers.
LaunchGroups choose_launches(Losses& losses, const LaunchGroups& instances,
                             const PortfolioLimits& limits) {
  if (limits.keep_all()) return instances;
  LaunchGroups singles;
  for (const std::vector<std::size_t>& instance : instances) {
    for (const std::size_t launch : instance) singles.push_back({launch});
  }
  const std::size_t most = std::max(most_launches, most_launches_each * instances.size());
  if (singles.size() <= most) return instances;
  const LossTable table = losses.of(singles);
  Choice choice(table, all_of(singles));
  // Without a limit of instances, each tuned problem was promised its loss.
  if (limits.most_instances == 0 || count_fastest(table, all_of(singles)) <= most) {
    for (std::size_t i = 0; i < table.tuned(); ++i) choice.take_best(i);
  }
  while (choice.chosen().size() < most && choice.grow()) {
  }
  std::set<std::size_t> kept;
  for (const std::size_t single : choice.chosen()) kept.insert(singles[single].front());
  LaunchGroups chosen;
  for (std::vector<std::size_t> instance : instances) {
    std::erase_if(instance, [&](std::size_t launch) { return !kept.contains(launch); });
    if (!instance.empty()) chosen.push_back(std::move(instance));
  }
  return chosen;
}

}  // namespace

void add_launches(Portfolio& portfolio, const std::vector<Config>& configs,
                  const SizeRules& rules) {
  for (const Config& config : configs) {
    const auto own = rules.instance_of(config);
    const auto same =
        std::find_if(portfolio.variants.begin(), portfolio.variants.end(),
                     [&](const Config& variant) { return rules.instance_of(variant) == own; });
    if (same == portfolio.variants.end()) {
      const std::size_t instance = portfolio.instance_count();
      for (Config& launch : rules.launches_of(config)) {
        portfolio.variants.push_back(std::move(launch));
        portfolio.instances.push_back(instance);
      }
    } else if (std::find(same, portfolio.variants.end(), config) == portfolio.variants.end()) {
      const std::size_t instance =
          portfolio.instances[static_cast<std::size_t>(same - portfolio.variants.begin())];
      portfolio.variants.push_back(config);
      portfolio.instances.push_back(instance);
    }
  }
}

void add_models(Portfolio& portfolio, const std::vector<ConfigSpeed>& speeds,
                const SizeRules& rules) {
  portfolio.models = fit_models(group_speeds(rules, speeds), portfolio.variants);
}

void add_contenders(Portfolio& portfolio, const PortfolioLimits& limits, const SizeRules& rules) {
  if (limits.keep_all()) return;
  const std::vector<Config> tuned(
      portfolio.variants.begin(),
      portfolio.variants.begin() + static_cast<std::ptrdiff_t>(portfolio.tuned_variants));
  for (const TimeModel& model : portfolio.models) {
    portfolio.contenders.push_back(find_contenders(rules, model, tuned));
  }
}

Portfolio choose_portfolio(const std::vector<Winner>& winners,
                           const std::vector<ConfigSpeed>& speeds, const PortfolioLimits& limits,
                           const SizeRules& rules) {
  Portfolio out;
  if (winners.empty()) return out;
  Losses losses(winners, speeds, rules);
  const LaunchGroups instances = choose_launches(losses, choose_instances(losses, limits), limits);
  std::map<std::size_t, std::size_t> variants;  // by launch
  for (std::size_t instance = 0; instance < instances.size(); ++instance) {
    for (const std::size_t launch : instances[instance]) {
      variants.emplace(launch, out.variants.size());
      out.variants.push_back(losses.launches()[launch]);
      out.instances.push_back(instance);
    }
  }
  out.tuned_variants = out.variants.size();
  const LossTable table = losses.of(instances);
  Choice all(table, all_of(instances));
  all.take_all();
  out.steps = steps_to(all.step(), Choice(table, all_of(instances)));
  for (std::size_t i = 0; i < winners.size(); ++i) {
    const auto best = all.answer(i);
    if (!best) continue;
    const LossTable::Fastest& fastest = table.fastest[i][*best];
    Served& served = out.served.emplace_back();
    served.winner = winners[i];
    served.variant = variants.at(*fastest.launch);
    if (fastest.is_measured) served.loss = shown_loss(table.losses[i][*best]);
  }
  return out;
}

std::string portfolio_digest(const Portfolio& portfolio) {
  std::string text;
  for (const Config& config : portfolio.variants) text += config.text() + '\n';
  for (const Served& served : portfolio.served) {
    text += served.winner.device.name + '\n' + served.winner.problem.text() + '\n' +
            std::to_string(served.variant) + '\n';
  }
  for (const TimeModel& model : portfolio.models) {
    for (const auto& config : model.configs) {
      if (!config) continue;
      for (const double part : config->ms) text += std::to_string(part) + '\n';
      for (const std::int16_t each : config->factors.compared) text += std::to_string(each) + '\n';
    }
  }
  return hex_digest(text);
}

namespace {

/// The launch of an instance to measure on a problem: the one expected to be the fastest, or else
/// the first valid one. Absent if none is valid, or one was already measured.
std::optional<Config> launch_to_measure(const Portfolio& portfolio, std::size_t instance,
                                        const Winner& where, const MeasuredTimes::Place& times,
                                        const SizeRules& rules) {
  std::optional<Config> first;
  for (std::size_t i = 0; i < portfolio.variants.size(); ++i) {
    const Config& launch = portfolio.variants[i];
    if (portfolio.instances[i] != instance) continue;
    if (launch == where.config || times.find(launch)) return std::nullopt;
    if (!first && rules.is_valid({where.problem, launch, where.device})) first = launch;
  }
  for (const TimeModel& model : portfolio.models) {
    if (model.device.name != where.device.name) continue;
    if (!rules.same_kind(model.kind, where.problem)) continue;
    const auto fastest =
        expected_fastest(rules, model, portfolio.variants, where.problem, where.device,
                         [&](std::size_t i) { return portfolio.instances[i] == instance; });
    if (fastest) return portfolio.variants[fastest->place];
  }
  return first;
}

}  // namespace

std::vector<Unmeasured> find_unmeasured(const Portfolio& portfolio, const MeasuredTimes& times,
                                        const SizeRules& rules) {
  const std::size_t tuned =
      portfolio.tuned_variants == 0 ? 0 : portfolio.instances[portfolio.tuned_variants - 1] + 1;
  std::vector<Unmeasured> all;
  for (const Served& served : portfolio.served) {
    Unmeasured missing{served.winner, {}};
    const MeasuredTimes::Place at = times.at(served.winner);
    for (std::size_t instance = 0; instance < tuned; ++instance) {
      auto launch = launch_to_measure(portfolio, instance, served.winner, at, rules);
      if (launch) missing.variants.push_back(std::move(*launch));
    }
    if (!missing.variants.empty()) all.push_back(std::move(missing));
  }
  return all;
}

}  // namespace gtune
