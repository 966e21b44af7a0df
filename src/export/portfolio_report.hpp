#pragma once

#include "export/portfolio.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// What each problem loses, and how the loss falls with the number of instances. In CSV, a row for
/// each problem, with its variant's parameters.
[[nodiscard]] Document portfolio_report(const KernelSpec& spec, const Portfolio& portfolio);

}  // namespace gtune
