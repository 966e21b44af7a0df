#pragma once

#include <filesystem>

#include "jit/compile_request.hpp"

namespace gtune {

/// Compiles with the nvcc that the request names. It runs in this process's group and writes to
/// `scratch`, a folder that nothing else uses. A mistake in the source gives a result that is not
/// ok. Throws std::runtime_error if nvcc itself fails: it could not be started, or a signal ended
/// it or one of its programs.
[[nodiscard]] CompileResult compile_with_nvcc(const CompileRequest& request,
                                              const std::filesystem::path& scratch);

}  // namespace gtune
