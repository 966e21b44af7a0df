#include "export/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "answer/measured_times.hpp"
#include "answer/problems_around.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
// Minimum loss of every configuration except a problem's own winner, so that the winner comes
// before a tie, and zero loss always means the winner.
constexpr double least_loss = 1e-9;
// The same for a configuration not measured there: a search that came near may have passed it over.
constexpr double least_expected_loss = 0.05;
// A launch that was measured to lose more makes way for one that is expected to be faster: no
// search or export has tried that one yet.
constexpr double most_measured_loss = 0.5;
constexpr double unserved = 9;  // cap of a loss, also if no variant is valid: tenfold time

/// 0 if the loss only breaks ties.
double shown(double loss) { return loss <= least_loss ? 0 : loss; }

/// The loss of every candidate on every tuned problem and on problems around them. A candidate is
/// an instance, at its best launch for the problem.
class Losses {
 public:
  Losses(const std::vector<Winner>& winners, const std::vector<ConfigSpeed>& speeds,
         const SizeRules& rules)
      : m_rules(rules), m_times(speeds), m_groups(group_speeds(rules, speeds)) {
    std::vector<Config> won;
    for (const Winner& winner : winners) won.push_back(winner.config);
    m_launches = rules.launches_of(won);
    m_models = fit_models(m_groups, m_launches);
    for (std::size_t i = 0; i < m_launches.size(); ++i) add_candidate(i);
    for (const Winner& winner : winners) add_tuned(winner);
    for (const Winner& winner : winners) add_around(winner, winners);
  }

  [[nodiscard]] std::size_t candidates() const { return m_candidates.size(); }
  /// One of the candidate's launches.
  [[nodiscard]] const Config& candidate(std::size_t place) const {
    return m_launches[m_candidates[place].front()];
  }
  [[nodiscard]] double at(std::size_t problem, std::size_t candidate) const {
    return m_rows[problem][candidate];
  }
  [[nodiscard]] std::size_t problems() const { return m_rows.size(); }
  [[nodiscard]] std::size_t tuned() const { return m_launched.size(); }  // these come first

  /// The launch with a candidate's loss on a tuned problem; null if none is valid there.
  [[nodiscard]] const Config* launch_at(std::size_t problem, std::size_t candidate) const {
    const auto& launch = m_launched[problem][candidate].launch;
    return launch ? &m_launches[*launch] : nullptr;
  }
  [[nodiscard]] bool is_measured(std::size_t problem, std::size_t candidate) const {
    return m_launched[problem][candidate].is_measured;
  }

 private:
  struct Launched {
    std::optional<std::size_t> launch;
    bool is_measured = false;
    double ms = unknown;
  };

  void add_candidate(std::size_t launch) {
    const Config instance = m_rules.instance_of(m_launches[launch]);
    const auto same = std::find_if(
        m_candidates.begin(), m_candidates.end(), [&](const std::vector<std::size_t>& launches) {
          return m_rules.instance_of(m_launches[launches.front()]) == instance;
        });
    if (same == m_candidates.end()) {
      m_candidates.push_back({launch});
    } else {
      same->push_back(launch);
    }
  }

  void add_tuned(const Winner& winner) {
    const TimeModel* model = model_of(winner);
    std::vector<double> losses;
    std::vector<Launched>& launched = m_launched.emplace_back();
    for (const std::vector<std::size_t>& launches : m_candidates) {
      launched.push_back(fastest_measured(launches, winner));
      const double measured_loss = launched.back().ms / winner.median_ms - 1;
      if (measured_loss > most_measured_loss && model != nullptr) {
        const Launched expected = fastest_expected(launches, *model, winner.problem, winner.device);
        if (expected.ms < launched.back().ms) launched.back() = expected;
      }
      const Launched& best = launched.back();
      const bool is_own = best.launch && m_launches[*best.launch] == winner.config;
      const double least = best.is_measured ? least_loss : least_expected_loss;
      losses.push_back(is_own        ? 0
                       : best.launch ? std::max(least, best.ms / winner.median_ms - 1)
                                     : unknown);
    }
    m_rows.push_back(std::move(losses));
  }

  [[nodiscard]] Launched fastest_measured(const std::vector<std::size_t>& launches,
                                          const Winner& winner) const {
    Launched best;
    for (const std::size_t i : launches) {
      if (m_launches[i] == winner.config) return {i, true, winner.median_ms};
      const auto time = m_times.find(winner, m_launches[i]);
      if (!time || *time >= best.ms) continue;
      if (!m_rules.is_valid({winner.problem, m_launches[i], winner.device})) continue;
      best = {i, true, *time};
    }
    return best;
  }

  [[nodiscard]] Launched fastest_expected(const std::vector<std::size_t>& launches,
                                          const TimeModel& model, const Problem& problem,
                                          const DeviceFacts& device) const {
    Launched best;
    for (const std::size_t i : launches) {
      if (!model.configs[i]) continue;
      const auto ms = compared_ms(m_rules, *model.configs[i], {problem, m_launches[i], device});
      if (ms && *ms < best.ms) best = {i, false, *ms};
    }
    return best;
  }

  [[nodiscard]] const TimeModel* model_of(const Winner& winner) const {
    ConfigSpeed there;
    there.device = winner.device;
    there.problem = winner.problem;
    there.mode = winner.mode;
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
      if (m_groups[i].has(there)) return &m_models[i];
    }
    return nullptr;
  }

  /// Adds problems around a tuned one; with the first winner of a group, also some of any size.
  void add_around(const Winner& winner, const std::vector<Winner>& winners) {
    const TimeModel* model = model_of(winner);
    if (model == nullptr) return;
    std::vector<Problem> problems = problems_around(m_rules.spec(), winner.problem);
    const auto first = std::find_if(winners.begin(), winners.end(),
                                    [&](const Winner& each) { return model_of(each) == model; });
    if (&*first == &winner) {
      for (Problem& each : problems_of_any_size(m_rules.spec(), winner.problem)) {
        problems.push_back(std::move(each));
      }
    }
    for (const Problem& problem : problems) {
      std::vector<double> expected;
      for (const std::vector<std::size_t>& launches : m_candidates) {
        expected.push_back(fastest_expected(launches, *model, problem, winner.device).ms);
      }
      const double least = *std::min_element(expected.begin(), expected.end());
      if (least == unknown) continue;
      for (double& each : expected) each = each / least - 1;
      m_rows.push_back(std::move(expected));
    }
  }

  const SizeRules& m_rules;
  MeasuredTimes m_times;
  std::vector<MeasuredGroup> m_groups;
  std::vector<Config> m_launches;
  std::vector<TimeModel> m_models;
  std::vector<std::vector<std::size_t>> m_candidates;  // their launches
  std::vector<std::vector<double>> m_rows;             // by problem, then candidate
  std::vector<std::vector<Launched>> m_launched;       // by tuned problem, then candidate
};

/// The candidates chosen so far, and the losses of the problems with them.
class Choice {
 public:
  /// Will choose among `candidates`.
  Choice(const Losses& losses, std::vector<std::size_t> candidates)
      : m_losses(losses), m_candidates(std::move(candidates)), m_best(losses.problems(), unknown) {}

  [[nodiscard]] const std::vector<std::size_t>& chosen() const { return m_chosen; }
  [[nodiscard]] double worst() const { return worst_tuned(m_best); }

  /// Adds the candidate that helps most; false if none helps.
  bool grow() {
    double least = total(m_best);
    std::optional<std::size_t> best;
    for (const std::size_t candidate : m_candidates) {
      const double sum = total(with(candidate));
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

  /// Index in chosen() of the candidate with the lowest measured loss on a tuned problem; absent if
  /// none was measured.
  [[nodiscard]] std::optional<std::size_t> best_measured(std::size_t problem) const {
    return best(problem,
                [&](std::size_t candidate) { return m_losses.is_measured(problem, candidate); });
  }
  /// The same, with expected losses for candidates that were not measured.
  [[nodiscard]] std::optional<std::size_t> best_expected(std::size_t problem) const {
    return best(problem, [](std::size_t) { return true; });
  }

  [[nodiscard]] PortfolioStep step() const {
    PortfolioStep out{m_chosen.size(), 0, {}, {}};
    double logs = 0;
    double worst = 0;
    for (std::size_t i = 0; i < m_losses.tuned(); ++i) {
      const auto best = best_measured(i);
      if (!best) continue;
      const double loss = m_losses.at(i, m_chosen[*best]);
      ++out.served;
      logs += std::log1p(shown(loss));
      worst = std::max(worst, shown(loss));
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
      const double loss = m_losses.at(problem, m_chosen[i]);
      if (loss == unknown || !may_be(m_chosen[i])) continue;
      if (!best || loss < m_losses.at(problem, m_chosen[*best])) best = i;
    }
    return best;
  }

  /// Replaces one chosen candidate by the best other; false if none helps.
  bool swap(std::size_t place) {
    std::vector<std::size_t> others = m_chosen;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
    const std::vector<double> without = of(others);
    // Sums in another order differ in their last bits.
    const double sum_before = total(m_best);
    double least = sum_before - 1e-9 * std::abs(sum_before);
    bool better = false;
    for (const std::size_t candidate : m_candidates) {
      std::vector<double> best = with(candidate, without);
      const double sum = total(best);
      if (sum >= least) continue;
      least = sum;
      m_chosen[place] = candidate;
      m_best = std::move(best);
      better = true;
    }
    return better;
  }

  [[nodiscard]] std::vector<double> with(std::size_t candidate) const {
    return with(candidate, m_best);
  }

  [[nodiscard]] std::vector<double> with(std::size_t candidate, std::vector<double> best) const {
    for (std::size_t i = 0; i < best.size(); ++i) {
      best[i] = std::min(best[i], m_losses.at(i, candidate));
    }
    return best;
  }

  [[nodiscard]] std::vector<double> of(const std::vector<std::size_t>& candidates) const {
    std::vector<double> best(m_best.size(), unknown);
    for (std::size_t i = 0; i < best.size(); ++i) {
      for (const std::size_t each : candidates) best[i] = std::min(best[i], m_losses.at(i, each));
    }
    return best;
  }

  [[nodiscard]] double worst_tuned(const std::vector<double>& losses) const {
    const auto tuned = static_cast<std::ptrdiff_t>(m_losses.tuned());
    return *std::max_element(losses.begin(), losses.begin() + tuned);
  }

  /// The problems around the tuned ones together weigh as much as the tuned ones.
  [[nodiscard]] double total(const std::vector<double>& losses) const {
    double sum = 0;
    const double around = static_cast<double>(losses.size() - m_losses.tuned());
    const double weight = static_cast<double>(m_losses.tuned()) / around;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      const double lost = std::log1p(std::min(losses[i], unserved));
      sum += i < m_losses.tuned() ? lost : weight * lost;
    }
    return sum;
  }

  const Losses& m_losses;
  std::vector<std::size_t> m_candidates;
  std::vector<double> m_best;  // by problem
  std::vector<std::size_t> m_chosen;
};

std::vector<std::size_t> all_candidates(const Losses& losses) {
  std::vector<std::size_t> all(losses.candidates());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// Losses as the choice's instances are added one after the other. The steps in which the choice
/// was made would not be comparable: they had another order and instances that were dropped later.
std::vector<PortfolioStep> steps_to(const Losses& losses, const Choice& choice) {
  const PortfolioStep last = choice.step();
  Choice part(losses, choice.chosen());
  std::vector<PortfolioStep> steps;
  while (steps.size() + 1 < last.instances && part.grow()) {
    PortfolioStep& step = steps.emplace_back(part.step());
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

}  // namespace

void add_launches(Portfolio& portfolio, const std::vector<Config>& configs,
                  const SizeRules& rules) {
  const auto place_of = [&](const Config& config) {
    return std::find(portfolio.variants.begin(), portfolio.variants.end(), config);
  };
  for (const Config& config : configs) {
    if (place_of(config) != portfolio.variants.end()) continue;
    const std::size_t instance = portfolio.instance_count();
    for (Config& launch : rules.launches_of(config)) {
      portfolio.variants.push_back(std::move(launch));
      portfolio.instances.push_back(instance);
    }
  }
}

void add_models(Portfolio& portfolio, const std::vector<ConfigSpeed>& speeds,
                const SizeRules& rules) {
  portfolio.models = fit_models(group_speeds(rules, speeds), portfolio.variants);
}

Portfolio choose_portfolio(const std::vector<Winner>& winners,
                           const std::vector<ConfigSpeed>& speeds, const PortfolioLimits& limits,
                           const SizeRules& rules) {
  Portfolio out;
  if (winners.empty()) return out;
  const Losses losses(winners, speeds, rules);
  Choice choice(losses, all_candidates(losses));
  while (choice.worst() > limits.most_loss &&
         (limits.most_instances == 0 || choice.chosen().size() < limits.most_instances) &&
         choice.grow()) {
  }
  if (choice.worst() > limits.most_loss) choice.swap();
  choice.prune(limits.most_loss);
  out.steps = steps_to(losses, choice);
  std::vector<Config> chosen;
  for (const std::size_t candidate : choice.chosen()) {
    chosen.push_back(losses.candidate(candidate));
  }
  add_launches(out, chosen, rules);
  out.tuned_variants = out.variants.size();
  for (std::size_t i = 0; i < winners.size(); ++i) {
    const auto measured = choice.best_measured(i);
    const bool is_good = measured && losses.at(i, choice.chosen()[*measured]) <= most_measured_loss;
    const auto best = is_good ? measured : choice.best_expected(i);
    if (!best) continue;
    const std::size_t candidate = choice.chosen()[*best];
    const auto variant =
        std::find(out.variants.begin(), out.variants.end(), *losses.launch_at(i, candidate));
    Served& served = out.served.emplace_back();
    served.winner = winners[i];
    served.variant = static_cast<std::size_t>(variant - out.variants.begin());
    if (losses.is_measured(i, candidate)) served.loss = shown(losses.at(i, candidate));
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
    }
  }
  return hex_digest(text);
}

namespace {

/// The launch of an instance to measure on a problem: the one expected to be the fastest, or else
/// the first valid one. Absent if none is valid, or one was already measured.
std::optional<Config> launch_to_measure(const Portfolio& portfolio, std::size_t instance,
                                        const Winner& where, const MeasuredTimes& times,
                                        const SizeRules& rules) {
  std::optional<Config> first;
  for (std::size_t i = 0; i < portfolio.variants.size(); ++i) {
    const Config& launch = portfolio.variants[i];
    if (portfolio.instances[i] != instance) continue;
    if (launch == where.config || times.find(where, launch)) return std::nullopt;
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
    for (std::size_t instance = 0; instance < tuned; ++instance) {
      auto launch = launch_to_measure(portfolio, instance, served.winner, times, rules);
      if (launch) missing.variants.push_back(std::move(*launch));
    }
    if (!missing.variants.empty()) all.push_back(std::move(missing));
  }
  return all;
}

}  // namespace gtune
