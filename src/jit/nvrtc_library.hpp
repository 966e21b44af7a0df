#pragma once

#include <nvrtc.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace gtune {

/// NVRTC, opened at run time: a machine without CUDA can still run everything else.
class NvrtcLibrary {
 public:
  /// Looks at $GTUNE_NVRTC (a file), then at the loader's path, then in $CUDA_HOME, $CUDA_PATH
  /// and /usr/local/cuda. Throws UserError(failed) where there is none.
  NvrtcLibrary();

  decltype(&::nvrtcVersion) version = nullptr;
  decltype(&::nvrtcCreateProgram) create_program = nullptr;
  decltype(&::nvrtcDestroyProgram) destroy_program = nullptr;
  decltype(&::nvrtcAddNameExpression) add_name_expression = nullptr;
  decltype(&::nvrtcCompileProgram) compile_program = nullptr;
  decltype(&::nvrtcGetLoweredName) get_lowered_name = nullptr;
  decltype(&::nvrtcGetCUBINSize) get_cubin_size = nullptr;
  decltype(&::nvrtcGetCUBIN) get_cubin = nullptr;
  decltype(&::nvrtcGetPTXSize) get_ptx_size = nullptr;
  decltype(&::nvrtcGetPTX) get_ptx = nullptr;
  decltype(&::nvrtcGetProgramLogSize) get_log_size = nullptr;
  decltype(&::nvrtcGetProgramLog) get_log = nullptr;
  decltype(&::nvrtcGetErrorString) get_error_string = nullptr;
  nvrtcResult (*set_pch_heap_size)(std::size_t bytes) = nullptr;  // null: not before CUDA 12.8
};

/// "13.0". Throws UserError where there is no NVRTC.
[[nodiscard]] std::string nvrtc_version();

/// The toolkit's headers; nothing where there are none. Kernels need them only if they include
/// some.
[[nodiscard]] std::optional<std::filesystem::path> cuda_include_folder();

}  // namespace gtune
