#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "answer/measured_times.hpp"
#include "answer/size_rules.hpp"
#include "store/records.hpp"

namespace gtune {

struct PortfolioLimits {
  std::size_t most_variants = 0;  // 0: as many as it takes
  double most_loss = 0;           // 0.03: 3 % slower than the best of a problem; 0: its best alone
};

/// What a portfolio has for one tuned problem.
struct Served {
  Winner winner;
  std::size_t variant = 0;     // of the portfolio
  std::optional<double> loss;  // of that variant to the winner; absent: not measured there
};

/// The losses with so many of a portfolio's variants.
struct PortfolioStep {
  std::size_t variants = 0;
  std::size_t served = 0;           // problems on which one of them was measured
  std::optional<double> mean_loss;  // over these, geometric; absent: all variants serve more
  std::optional<double> worst_loss;
};

/// A few configurations for many problems.
struct Portfolio {
  std::vector<Config> variants;
  std::vector<Served> served;     // a place for each winner, in their order
  std::vector<Served> fallbacks;  // where none of these is valid: see find_fallbacks
  /// With one of the variants, with two, ...: each time the one more that helps most. Losses are
  /// over the same problems, so more variants never lose more.
  std::vector<PortfolioStep> steps;
  /// For each of `served` a time for each variant, in ms: known for measured variants that serve
  /// it, serve the problems nearest to it, or serve none; else 0. Variants of fallbacks come after
  /// and have none.
  std::vector<std::vector<double>> times;
};

/// Equal for portfolios with the same variants that are chosen for the same.
[[nodiscard]] std::string portfolio_digest(const Portfolio& portfolio);

/// Fills in `times`, if the spec says its padded work: without it nobody chooses by them.
void add_times(Portfolio& portfolio, const MeasuredTimes& times, const SizeRules& rules);

/// Variants that were never measured on a tuned problem, though they may be used there.
struct Unmeasured {
  Winner where;
  std::vector<Config> variants;
};

[[nodiscard]] std::vector<Unmeasured> find_unmeasured(const Portfolio& portfolio,
                                                      const MeasuredTimes& times,
                                                      const SizeRules& rules);

/// Adds one at a time the configuration that brings all problems nearest to their best, until none
/// loses more than allowed or there are enough. Problems around the tuned ones count as much as
/// these, with expected times, but any loss is allowed on them: tuned sizes are mostly round, and
/// tiles divide them. A problem on which no chosen configuration was measured takes the one of the
/// nearest problem that is valid there.
[[nodiscard]] Portfolio choose_portfolio(const std::vector<Winner>& winners,
                                         const MeasuredTimes& times, const PortfolioLimits& limits,
                                         const SizeRules& rules);

}  // namespace gtune
