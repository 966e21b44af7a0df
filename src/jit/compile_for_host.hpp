#pragma once

#include <filesystem>

#include "jit/compile_request.hpp"

namespace gtune {

/// $CXX, otherwise c++ or g++ on PATH. Throws UserError(failed) if there is none.
[[nodiscard]] std::filesystem::path host_compiler();

/// Compiles a C++ function for the host. The result has a shared object in place of a cubin.
/// Reports mistakes and failures like compile_with_nvcc.
[[nodiscard]] CompileResult compile_for_host(const CompileRequest& request,
                                             const std::filesystem::path& scratch);

}  // namespace gtune
