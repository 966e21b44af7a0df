#pragma once

#include "authoring/spec_check.hpp"
#include "report/document.hpp"

namespace gtune {

/// The results of a spec's check: mistakes first, then the compiled kernels and the space.
[[nodiscard]] Document check_report(const SpecCheck& check);

}  // namespace gtune
