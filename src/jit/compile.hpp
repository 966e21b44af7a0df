#pragma once

#include "jit/compile_request.hpp"
#include "jit/nvrtc_library.hpp"
#include "jit/precompiled_headers.hpp"

namespace gtune {

/// Compiles in this process. What is wrong with the source is a result that is not ok; throws
/// std::runtime_error where NVRTC itself failed, after which the process should end. `headers`: of
/// the same NVRTC; null: every compile reads its headers.
[[nodiscard]] CompileResult compile(const NvrtcLibrary& nvrtc, const CompileRequest& request,
                                    PrecompiledHeaders* headers = nullptr);

}  // namespace gtune
