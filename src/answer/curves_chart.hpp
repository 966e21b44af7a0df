#pragma once

#include "answer/best_curves.hpp"
#include "report/chart.hpp"

namespace gtune {

/// The curves with the kernel, the device and the sizes that all points share in the title.
/// `speeds`: those that the curves were chosen from. Throws UserError (usage) if there are too many
/// lines or points to tell apart. Not for curves without points.
[[nodiscard]] Chart curves_chart(const KernelSpec& spec, const BestCurves& curves,
                                 const std::vector<ConfigSpeed>& speeds);

/// The chart in words, for readers who cannot see it.
[[nodiscard]] std::string curves_description(const KernelSpec& spec, const BestCurves& curves);

}  // namespace gtune
