#pragma once

#include "support/build_under_test.hpp"

namespace gtune::test {

/// Factor for upper limits on time: busy machines are slow, sanitizers slower. The limits detect
/// hangs of a hundred seconds, not slowness.
inline const int patience = is_sanitized() ? 10 : 3;

}  // namespace gtune::test
