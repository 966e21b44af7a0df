#pragma once

#include "jit/compile_request.hpp"
#include "jit/nvrtc_library.hpp"
#include "jit/precompiled_headers.hpp"

namespace gtune {

/// Compiles in this process. A mistake in the source yields a result with `ok` false. Throws
/// std::runtime_error if NVRTC itself fails; the process should then end. `headers` must use the
/// same NVRTC; if null, every compile parses its headers.
[[nodiscard]] CompileResult compile(const NvrtcLibrary& nvrtc, const CompileRequest& request,
                                    PrecompiledHeaders* headers = nullptr);

}  // namespace gtune
