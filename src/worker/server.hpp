#pragma once

#include "worker/backend.hpp"

namespace gtune {

/// The reply to one request. Sets `lost` if the worker must end after it. Throws FrameError if the
/// frame is not a request, and the backend's UserError.
[[nodiscard]] Frame reply_to(WorkerBackend& backend, Frame request, bool& lost);

/// The worker's main loop: requests from standard input, replies to standard output, until the
/// input ends. Ends the process if its tuner is gone, whatever a kernel is doing. Anything a
/// kernel prints goes to standard error instead. Returns an exit code.
int serve(WorkerBackend& backend);

}  // namespace gtune
