#pragma once

#include "worker/backend.hpp"

namespace gtune {

/// The worker's main loop: requests from standard input, replies to standard output, until the
/// input ends. Anything a kernel prints goes to standard error instead. Returns an exit code.
int serve(WorkerBackend& backend);

}  // namespace gtune
