#pragma once

#include "jit/compile_request.hpp"
#include "jit/nvrtc_library.hpp"

namespace gtune {

/// Compiles in this process. What is wrong with the source is a result that is not ok.
[[nodiscard]] CompileResult compile(const NvrtcLibrary& nvrtc, const CompileRequest& request);

}  // namespace gtune
