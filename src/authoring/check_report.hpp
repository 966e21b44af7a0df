#pragma once

#include "authoring/spec_check.hpp"
#include "report/document.hpp"

namespace gtune {

/// What a check of a spec found: mistakes first, then what was compiled, and the space.
[[nodiscard]] Document check_report(const SpecCheck& check);

}  // namespace gtune
