#pragma once

namespace gtune::test {

/// What upper limits on time are multiplied by: busy machines are slow, sanitizers slower. The
/// limits are against waiting for what hangs for a hundred seconds, not against being slow.
#ifdef __SANITIZE_ADDRESS__
constexpr int patience = 10;
#else
constexpr int patience = 3;
#endif

}  // namespace gtune::test
