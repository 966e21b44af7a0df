#pragma once

#include <filesystem>

#include "jit/compile_request.hpp"

namespace gtune {

/// Compiles with the nvcc that the request names, in a process of this one's group, with its files
/// in `scratch`, a folder that nobody else uses. What is wrong with the source is a result that is
/// not ok; throws std::runtime_error where nvcc itself failed: it could not be started, or a signal
/// ended it or a part of it.
[[nodiscard]] CompileResult compile_with_nvcc(const CompileRequest& request,
                                              const std::filesystem::path& scratch);

}  // namespace gtune
