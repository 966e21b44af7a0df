#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "answer/measured_times.hpp"
#include "answer/size_rules.hpp"
#include "answer/time_model.hpp"
#include "export/contenders.hpp"
#include "store/records.hpp"

namespace gtune {

struct PortfolioLimits {
  std::size_t most_instances = 0;  // compiled instances; 0: as many as needed
  double most_loss = 0;            // 0.03: 3 % slower than a problem's best; 0: only its best

  [[nodiscard]] bool keep_all() const { return most_instances == 0 && most_loss <= 0; }
};

/// What a portfolio has for one tuned problem.
struct Served {
  Winner winner;
  std::size_t variant = 0;     // index in the portfolio
  std::optional<double> loss;  // of that variant against the winner; absent if not measured there
};

/// The losses with the first `instances` instances of a portfolio.
struct PortfolioStep {
  std::size_t instances = 0;
  std::size_t served = 0;           // problems on which what answers was measured
  std::optional<double> mean_loss;  // geometric, over these; absent if the portfolio serves more
  std::optional<double> worst_loss;
};

/// A few compiled instances for many problems. A variant is one of them with values of its
/// launch-only parameters.
struct Portfolio {
  std::vector<Config> variants;
  std::vector<std::size_t> instances;  // of each variant
  std::vector<Served> served;          // one for each winner that can be served, in their order
  std::size_t tuned_variants = 0;      // variants after these are fallbacks (see add_fallbacks)
  /// With one instance, two, and so on; each step adds the one that helps most. Losses are over the
  /// same problems, so more instances never lose more.
  std::vector<PortfolioStep> steps;
  /// Expected times of the variants, a model for each group of measurements.
  std::vector<TimeModel> models;
  /// By model, the variants that a header compares, without fallbacks; empty: all of them.
  std::vector<Contenders> contenders;

  [[nodiscard]] std::size_t instance_count() const {
    return instances.empty() ? 0 : *std::max_element(instances.begin(), instances.end()) + 1;
  }
};

/// Equal for portfolios with the same variants, served problems and models.
[[nodiscard]] std::string portfolio_digest(const Portfolio& portfolio);

/// Adds every launch of the instances of these configurations. Of an instance that is there, only
/// the configuration itself is added.
void add_launches(Portfolio& portfolio, const std::vector<Config>& configs, const SizeRules& rules);

/// Fills in `models` for all variants.
void add_models(Portfolio& portfolio, const std::vector<ConfigSpeed>& speeds,
                const SizeRules& rules);

/// Fills in `contenders`, unless the limits allow every launch and no loss: then the portfolio
/// chooses what gtune query answers, which compares all. `portfolio` must have its models.
void add_contenders(Portfolio& portfolio, const PortfolioLimits& limits, const SizeRules& rules);

/// For a tuned problem, a launch of each instance that is valid but was never measured there.
struct Unmeasured {
  Winner where;
  std::vector<Config> variants;
};

/// `portfolio` must have its models.
[[nodiscard]] std::vector<Unmeasured> find_unmeasured(const Portfolio& portfolio,
                                                      const MeasuredTimes& times,
                                                      const SizeRules& rules);

/// Adds the instance that brings all problems nearest to their best, one at a time, until no tuned
/// problem loses more than allowed or there are enough. The expected time counts if an instance was
/// not measured. Problems around the tuned ones, and some of any size, weigh as much as the tuned
/// ones, but any loss is allowed on them: tuned sizes are mostly round, and tiles divide them.
[[nodiscard]] Portfolio choose_portfolio(const std::vector<Winner>& winners,
                                         const std::vector<ConfigSpeed>& speeds,
                                         const PortfolioLimits& limits, const SizeRules& rules);

}  // namespace gtune
