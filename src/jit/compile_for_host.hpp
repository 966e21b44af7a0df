#pragma once

#include <filesystem>

#include "jit/compile_request.hpp"

namespace gtune {

/// $CXX, else c++ or g++ on PATH. Throws UserError(failed) where there is none.
[[nodiscard]] std::filesystem::path host_compiler();

/// Compiles a C++ function for the host, as a shared object in the place of a cubin. As
/// compile_with_nvcc.
[[nodiscard]] CompileResult compile_for_host(const CompileRequest& request,
                                             const std::filesystem::path& scratch);

}  // namespace gtune
