#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "answer/measured_times.hpp"
#include "answer/size_rules.hpp"
#include "answer/time_model.hpp"
#include "store/records.hpp"

namespace gtune {

struct PortfolioLimits {
  std::size_t most_instances = 0;  // that are compiled; 0: as many as it takes
  double most_loss = 0;            // 0.03: 3 % slower than the best of a problem; 0: its best alone
};

/// What a portfolio has for one tuned problem.
struct Served {
  Winner winner;
  std::size_t variant = 0;     // of the portfolio
  std::optional<double> loss;  // of that variant to the winner; absent: not measured there
};

/// The losses with so many of a portfolio's instances.
struct PortfolioStep {
  std::size_t instances = 0;
  std::size_t served = 0;           // problems on which one of them was measured
  std::optional<double> mean_loss;  // over these, geometric; absent: all instances serve more
  std::optional<double> worst_loss;
};

/// A few compiled instances for many problems. A variant is one of them with values of its
/// launch-only parameters.
struct Portfolio {
  std::vector<Config> variants;
  std::vector<std::size_t> instances;  // of each variant; those of one instance stand together
  std::vector<Served> served;          // a place for each winner, in their order
  std::size_t tuned_variants = 0;      // those after them are fallbacks (see add_fallbacks)
  /// With one of the instances, with two, ...: each time the one more that helps most. Losses are
  /// over the same problems, so more instances never lose more.
  std::vector<PortfolioStep> steps;
  /// What the variants take, where measurements tell: one for each group of them.
  std::vector<TimeModel> models;

  [[nodiscard]] std::size_t instance_count() const {
    return instances.empty() ? 0 : instances.back() + 1;
  }
};

/// Equal for portfolios with the same variants that are chosen for the same.
[[nodiscard]] std::string portfolio_digest(const Portfolio& portfolio);

/// Adds every launch of the instances of these configurations, each instance once.
void add_launches(Portfolio& portfolio, const std::vector<Config>& configs, const SizeRules& rules);

/// Fills in `models` for all of its variants.
void add_models(Portfolio& portfolio, const std::vector<ConfigSpeed>& speeds,
                const SizeRules& rules);

/// A launch of each instance that was never measured on a tuned problem, though it may be used
/// there.
struct Unmeasured {
  Winner where;
  std::vector<Config> variants;
};

/// `portfolio` has its models.
[[nodiscard]] std::vector<Unmeasured> find_unmeasured(const Portfolio& portfolio,
                                                      const MeasuredTimes& times,
                                                      const SizeRules& rules);

/// Adds one at a time the instance that brings all problems nearest to their best, until none loses
/// more than allowed or there are enough. Where an instance was not measured its expected time
/// counts. Problems around the tuned ones, and some of any size, count as much as the tuned ones,
/// but any loss is allowed on them: tuned sizes are mostly round, and tiles divide them.
[[nodiscard]] Portfolio choose_portfolio(const std::vector<Winner>& winners,
                                         const std::vector<ConfigSpeed>& speeds,
                                         const PortfolioLimits& limits, const SizeRules& rules);

}  // namespace gtune
