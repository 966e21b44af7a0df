#pragma once

#include "jit/compile_request.hpp"
#include "jit/nvrtc_library.hpp"

namespace gtune {

/// Compiles in this process. What is wrong with the source is a result that is not ok; throws
/// std::runtime_error where NVRTC itself failed, after which the process should end.
[[nodiscard]] CompileResult compile(const NvrtcLibrary& nvrtc, const CompileRequest& request);

}  // namespace gtune
