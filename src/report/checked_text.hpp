#pragma once

#include <string>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// The kernel's name, which heads a report. Marks a spec without a reference.
[[nodiscard]] inline std::string kernel_title(const KernelSpec& spec) {
  return spec.name +
         (spec.check.has_results() ? "" : " (results not checked: reference = \"none\")");
}

/// What the check of a winner has shown. `not_elsewhere`: text for a winner that was not checked on
/// awkward sizes.
[[nodiscard]] inline std::string checked_text(const KernelSpec& spec, bool on_awkward_sizes,
                                              const std::string& not_elsewhere) {
  const std::string here =
      spec.check.has_results() ? "right here" : "only that nothing is written out of bounds, here";
  return here + (on_awkward_sizes ? " and on awkward sizes" : "; " + not_elsewhere);
}

}  // namespace gtune
