#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/compiler.hpp"

namespace gtune {

/// nvcc and its host compiler, which preprocesses for it.
struct NvccToolchain {
  std::filesystem::path file;
  std::string release;  // "13.0"
  std::string version;  // of both: "nvcc 13.0.88, gcc version 12.2.0 (Debian 12.2.0-14)"
  /// Searched for includes after the folders of the options.
  std::vector<std::filesystem::path> include_folders;
};

/// Finds nvcc: $GTUNE_NVCC (a file), otherwise on PATH, then in $CUDA_HOME, $CUDA_PATH and
/// /usr/local/cuda. It is run once per process. Throws UserError(failed) if there is none, or if
/// the program is not nvcc.
[[nodiscard]] const NvccToolchain& nvcc_toolchain();

/// The compiler's release, such as "13.0". Throws UserError if there is no such compiler.
[[nodiscard]] std::string compiler_release(Compiler compiler);

/// Changes to nvcc's environment: variables that it must not inherit, and its temporary folder.
[[nodiscard]] std::vector<std::pair<std::string, std::optional<std::string>>> nvcc_environment(
    const std::filesystem::path& temporary_files);

}  // namespace gtune
