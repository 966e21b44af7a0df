#include "export/portfolio_fallbacks.hpp"

#include "answer/fallback.hpp"

namespace gtune {

void add_fallbacks(Portfolio& portfolio, const Database& database, const KernelIdentity& kernel,
                   const SizeRules& rules) {
  std::vector<Winner> used;
  for (const Served& served : portfolio.served) {
    used.push_back(served.winner);
    used.back().config = portfolio.variants[served.variant];
  }
  std::vector<Config> fallbacks;
  for (const Winner& fallback : find_fallbacks(database, kernel, rules.spec(), used)) {
    fallbacks.push_back(fallback.config);
  }
  add_launches(portfolio, fallbacks, rules);
}

}  // namespace gtune
