#include "export/portfolio_fallbacks.hpp"

#include <algorithm>

#include "answer/fallback.hpp"

namespace gtune {

void add_fallbacks(Portfolio& portfolio, const Database& database, const KernelIdentity& kernel,
                   const KernelSpec& spec) {
  std::vector<Winner> used;
  for (const Served& served : portfolio.served) {
    used.push_back(served.winner);
    used.back().config = portfolio.variants[served.variant];
  }
  for (Winner& fallback : find_fallbacks(database, kernel, spec, used)) {
    auto variant = std::find(portfolio.variants.begin(), portfolio.variants.end(), fallback.config);
    if (variant == portfolio.variants.end()) {
      variant = portfolio.variants.insert(variant, fallback.config);
    }
    const auto place = static_cast<std::size_t>(variant - portfolio.variants.begin());
    portfolio.fallbacks.push_back({std::move(fallback), place, std::nullopt});
  }
}

}  // namespace gtune
