#pragma once

#include "jit/compile_request.hpp"
#include "jit/nvrtc_library.hpp"
#include "jit/precompiled_headers.hpp"

namespace gtune {

/// Compiles in this process. A mistake in the source gives a result that is not ok. Throws
/// std::runtime_error if NVRTC itself fails, after which the process should end. `headers` must use
/// the same NVRTC; null: every compile reads its headers.
[[nodiscard]] CompileResult compile(const NvrtcLibrary& nvrtc, const CompileRequest& request,
                                    PrecompiledHeaders* headers = nullptr);

}  // namespace gtune
