#pragma once

#include "export/portfolio.hpp"
#include "store/database.hpp"

namespace gtune {

/// Adds to a portfolio, after its other variants, what answers at sizes where none of those is
/// valid (see answer/fallback.hpp).
void add_fallbacks(Portfolio& portfolio, const Database& database, const KernelIdentity& kernel,
                   const SizeRules& rules);

}  // namespace gtune
