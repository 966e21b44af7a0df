#pragma once

#include "export/portfolio.hpp"
#include "store/database.hpp"

namespace gtune {

/// Appends variants to a portfolio for sizes at which none of the others is valid (see
/// answer/fallback.hpp).
void add_fallbacks(Portfolio& portfolio, const Database& database, const KernelIdentity& kernel,
                   const SizeRules& rules);

}  // namespace gtune
