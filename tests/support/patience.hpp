#pragma once

namespace gtune::test {

/// Factor for upper limits on time: busy machines are slow, sanitizers slower. The limits detect
/// hangs of a hundred seconds, not slowness.
#ifdef GTUNE_SANITIZED
constexpr int patience = 10;
#else
constexpr int patience = 3;
#endif

}  // namespace gtune::test
