#pragma once

#include "jit/compile_request.hpp"
#include "system/frame.hpp"

namespace gtune {

// Requests and results on the pipe to a compiler process, and results in the cubin cache.
// Reading throws FrameError(garbage).
[[nodiscard]] Frame to_frame(const CompileRequest& request);
[[nodiscard]] Frame to_frame(const CompileResult& result);
[[nodiscard]] CompileRequest compile_request_from(const Frame& frame);
[[nodiscard]] CompileResult compile_result_from(Frame frame);

}  // namespace gtune
