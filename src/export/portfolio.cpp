#include "export/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "answer/size_transfer.hpp"
#include "model/problem_distance.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
// What another configuration loses at least, so that a problem's own goes before one that ties with
// it, and no loss at all means its own.
constexpr double least_loss = 1e-9;
constexpr double unserved = 9;  // what a problem without a measured variant counts as: tenfold time

/// 0 where the loss only breaks ties.
double shown(double loss) { return loss <= least_loss ? 0 : loss; }

/// The loss of every candidate on every problem, and on those around them.
class Losses {
 public:
  Losses(const std::vector<Winner>& winners, const MeasuredTimes& times, const SizeRules& rules)
      : m_tuned(winners.size()) {
    for (const Winner& winner : winners) add_candidate(winner.config);
    for (const Winner& winner : winners) {
      std::vector<double> row;
      for (const Config& config : m_candidates) {
        row.push_back(loss(config, winner, times, rules));
      }
      m_rows.push_back(std::move(row));
    }
    if (!rules.know_padding()) return;
    for (const Winner& winner : winners) {
      std::vector<std::optional<double>> measured;
      for (const Config& config : m_candidates) measured.push_back(times.find(winner, config));
      for (const Problem& problem : rules.around(winner.problem)) {
        m_rows.push_back(expected_losses(measured, [&](const Config& config) {
          return rules.growth({winner.problem, config, winner.device}, problem);
        }));
      }
    }
  }

  [[nodiscard]] const std::vector<Config>& candidates() const { return m_candidates; }
  [[nodiscard]] double at(std::size_t problem, std::size_t candidate) const {
    return m_rows[problem][candidate];
  }
  [[nodiscard]] std::size_t problems() const { return m_rows.size(); }
  [[nodiscard]] std::size_t tuned() const { return m_tuned; }  // they come first

 private:
  static double loss(const Config& config, const Winner& winner, const MeasuredTimes& times,
                     const SizeRules& rules) {
    if (config == winner.config) return 0;
    const auto time = times.find(winner, config);
    if (!time || !rules.is_valid({winner.problem, config, winner.device})) return unknown;
    return std::max(least_loss, *time / winner.median_ms - 1);
  }

  /// To the candidate that is expected to be the fastest, from their times at one problem.
  [[nodiscard]] std::vector<double> expected_losses(const std::vector<std::optional<double>>& times,
                                                    const WorkGrowth& growth) const {
    std::vector<double> expected;
    for (std::size_t i = 0; i < m_candidates.size(); ++i) {
      const auto grown = times[i] ? growth(m_candidates[i]) : std::nullopt;
      expected.push_back(grown ? *times[i] * *grown : unknown);
    }
    const double least = *std::min_element(expected.begin(), expected.end());
    for (double& each : expected) each = least == unknown ? 0 : each / least - 1;
    return expected;
  }

  void add_candidate(const Config& config) {
    if (std::find(m_candidates.begin(), m_candidates.end(), config) == m_candidates.end()) {
      m_candidates.push_back(config);
    }
  }

  std::vector<Config> m_candidates;
  std::vector<std::vector<double>> m_rows;  // by problem, then candidate
  std::size_t m_tuned;
};

/// What the problems lose with the candidates chosen so far.
class Choice {
 public:
  /// Of these candidates.
  Choice(const Losses& losses, std::vector<std::size_t> candidates)
      : m_losses(losses), m_candidates(std::move(candidates)), m_best(losses.problems(), unknown) {}

  [[nodiscard]] const std::vector<std::size_t>& chosen() const { return m_chosen; }
  [[nodiscard]] double worst() const { return worst_tuned(m_best); }

  /// Adds the candidate that helps most; false where none helps.
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

  /// Puts other candidates in the place of chosen ones as long as that helps: the first that were
  /// taken are those that help alone. Partitioning around medoids has the same two phases (Kaufman
  /// and Rousseeuw, 1990).
  void swap() {
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 0; i < m_chosen.size(); ++i) better = swap(i) || better;
    }
  }

  /// Drops what the others make up for within the allowed loss.
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

  [[nodiscard]] PortfolioStep step() const {
    PortfolioStep out{m_chosen.size(), 0, {}, {}};
    double logs = 0;
    double worst = 0;
    for (std::size_t i = 0; i < m_losses.tuned(); ++i) {
      const double loss = m_best[i];
      if (loss == unknown) continue;
      ++out.served;
      logs += std::log1p(shown(loss));
      worst = std::max(worst, shown(loss));
    }
    out.mean_loss = std::expm1(logs / static_cast<double>(out.served));
    out.worst_loss = worst;
    return out;
  }

 private:
  /// For the best candidate in the place of one; whether that helps.
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

  /// All around weighs as much as all that was tuned.
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

/// The variant with the least loss on a problem; absent where none was measured there.
std::optional<std::size_t> best_variant(const Losses& losses, const Choice& choice,
                                        std::size_t problem) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < choice.chosen().size(); ++i) {
    const double loss = losses.at(problem, choice.chosen()[i]);
    if (loss == unknown) continue;
    if (!best || loss < losses.at(problem, choice.chosen()[*best])) best = i;
  }
  return best;
}

std::vector<std::size_t> all_candidates(const Losses& losses) {
  std::vector<std::size_t> all(losses.candidates().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// The choice's variants one after the other. Where they come from a choice that was made in
/// another order, with others in between, its own steps would not be comparable.
std::vector<PortfolioStep> steps_to(const Losses& losses, const Choice& choice) {
  const PortfolioStep last = choice.step();
  Choice part(losses, choice.chosen());
  std::vector<PortfolioStep> steps;
  while (steps.size() + 1 < last.variants && part.grow()) {
    PortfolioStep& step = steps.emplace_back(part.step());
    if (step.served == last.served) continue;
    step.mean_loss.reset();
    step.worst_loss.reset();
  }
  while (steps.size() < last.variants) {  // the rest helps no more
    steps.push_back(last);
    steps.back().variants = steps.size();
  }
  return steps;
}

}  // namespace

Portfolio choose_portfolio(const std::vector<Winner>& winners, const MeasuredTimes& times,
                           const PortfolioLimits& limits, const SizeRules& rules) {
  Portfolio out;
  if (winners.empty()) return out;
  const Losses losses(winners, times, rules);
  Choice choice(losses, all_candidates(losses));
  while (choice.worst() > limits.most_loss &&
         (limits.most_variants == 0 || choice.chosen().size() < limits.most_variants) &&
         choice.grow()) {
  }
  if (choice.worst() > limits.most_loss) choice.swap();
  choice.prune(limits.most_loss);
  out.steps = steps_to(losses, choice);
  for (const std::size_t candidate : choice.chosen()) {
    out.variants.push_back(losses.candidates()[candidate]);
  }
  std::vector<std::optional<std::size_t>> best;
  for (std::size_t i = 0; i < winners.size(); ++i) best.push_back(best_variant(losses, choice, i));
  for (std::size_t i = 0; i < winners.size(); ++i) {
    if (best[i]) {
      out.served.push_back({winners[i], *best[i], shown(losses.at(i, choice.chosen()[*best[i]]))});
      continue;
    }
    std::optional<std::size_t> nearest;
    for (std::size_t j = 0; j < winners.size(); ++j) {
      if (!best[j] ||
          !rules.is_valid({winners[i].problem, out.variants[*best[j]], winners[i].device}))
        continue;
      if (!nearest || distance(winners[j].problem, winners[i].problem) <
                          distance(winners[*nearest].problem, winners[i].problem)) {
        nearest = j;
      }
    }
    if (nearest) out.served.push_back({winners[i], *best[*nearest], std::nullopt});
  }
  return out;
}

std::string portfolio_digest(const Portfolio& portfolio) {
  std::string text;
  for (const Config& config : portfolio.variants) text += config.text() + '\n';
  for (const auto* places : {&portfolio.served, &portfolio.fallbacks}) {
    for (const Served& served : *places) {
      text += served.winner.device.name + '\n' + served.winner.problem.text() + '\n' +
              std::to_string(served.variant) + '\n';
    }
  }
  for (const std::vector<double>& row : portfolio.times) {
    for (const double time : row) text += std::to_string(time) + '\n';
  }
  return hex_digest(text);
}

void add_times(Portfolio& portfolio, const MeasuredTimes& times, const SizeRules& rules) {
  if (!rules.know_padding()) return;
  std::set<std::size_t> serving;
  for (const Served& served : portfolio.served) serving.insert(served.variant);
  portfolio.times.clear();
  for (const Served& served : portfolio.served) {
    const Winner& where = served.winner;
    std::vector<const Problem*> problems;
    std::vector<std::size_t> variants;
    for (const Served& other : portfolio.served) {
      if (other.winner.device_id != where.device_id) continue;
      if (!rules.same_kind(other.winner.problem, where.problem)) continue;
      problems.push_back(&other.winner.problem);
      variants.push_back(other.variant);
    }
    const std::vector<Config> near = near_configs(problems, where.problem, [&](std::size_t place) {
      return &portfolio.variants[variants[place]];
    });
    std::vector<double>& row = portfolio.times.emplace_back();
    for (std::size_t i = 0; i < portfolio.variants.size(); ++i) {
      const bool is_near = std::find(near.begin(), near.end(), portfolio.variants[i]) != near.end();
      const bool is_asked = is_near || !serving.contains(i);
      row.push_back(is_asked ? times.find(where, portfolio.variants[i]).value_or(0) : 0.0);
    }
  }
}

std::vector<Unmeasured> find_unmeasured(const Portfolio& portfolio, const MeasuredTimes& times,
                                        const SizeRules& rules) {
  std::vector<Unmeasured> all;
  for (const Served& served : portfolio.served) {
    const Winner& where = served.winner;
    Unmeasured missing{where, {}};
    for (const Config& config : portfolio.variants) {
      if (config == where.config || !rules.is_valid({where.problem, config, where.device}))
        continue;
      if (times.find(where, config)) continue;
      missing.variants.push_back(config);
    }
    if (!missing.variants.empty()) all.push_back(std::move(missing));
  }
  return all;
}

}  // namespace gtune
