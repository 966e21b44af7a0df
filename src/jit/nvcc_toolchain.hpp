#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/compiler.hpp"

namespace gtune {

/// nvcc and the host compiler that preprocesses for it.
struct NvccToolchain {
  std::filesystem::path file;
  std::string release;  // "13.0"
  std::string version;  // of both: "nvcc 13.0.88, gcc version 12.2.0 (Debian 12.2.0-14)"
  /// Where includes are looked for behind the folders of the options.
  std::vector<std::filesystem::path> include_folders;
};

/// $GTUNE_NVCC (a file), else nvcc on PATH, else in $CUDA_HOME, $CUDA_PATH and /usr/local/cuda. It
/// is asked once per process. Throws UserError(failed) where there is none, or what answers is no
/// nvcc.
[[nodiscard]] const NvccToolchain& nvcc_toolchain();

/// "13.0", as nvrtc_version. Throws UserError where the compiler is not there.
[[nodiscard]] std::string compiler_release(Compiler compiler);

/// What nvcc does not get from the user's environment, and what it gets for its temporary files.
[[nodiscard]] std::vector<std::pair<std::string, std::optional<std::string>>> nvcc_environment(
    const std::filesystem::path& temporary_files);

}  // namespace gtune
