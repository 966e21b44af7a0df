#pragma once

#include <filesystem>

#include "jit/compile_request.hpp"

namespace gtune {

/// Compiles with the request's nvcc, which runs in this process's group and writes to `scratch`, a
/// folder that nothing else uses. A mistake in the source yields a result with `ok` false. Throws
/// std::runtime_error if nvcc itself fails: it could not be started, a signal ended it or one of
/// its programs, or memory or disk space ran out.
[[nodiscard]] CompileResult compile_with_nvcc(const CompileRequest& request,
                                              const std::filesystem::path& scratch);

}  // namespace gtune
