#pragma once

#include <functional>
#include <memory>

#include "worker/backend.hpp"

namespace gtune {

/// The reply to one request. Sets `lost` if the worker must end after it. Throws FrameError if the
/// frame is not a request, and the backend's UserError.
[[nodiscard]] Frame reply_to(WorkerBackend& backend, Frame request, bool& lost);

/// The worker's main loop: requests from standard input, replies to standard output, until the
/// input ends. Ends the process if its tuner is gone, whatever a kernel is doing. Anything a
/// kernel prints goes to standard error instead. If the backend cannot be made, its UserError is
/// the reply to the first request, which reaches the tuner's user as it is; then it is thrown.
/// Returns an exit code.
int serve(const std::function<std::unique_ptr<WorkerBackend>()>& make);

}  // namespace gtune
