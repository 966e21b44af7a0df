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
  /// Tries $GTUNE_NVRTC (a file), the loader's path, then $CUDA_HOME, $CUDA_PATH and
  /// /usr/local/cuda. Throws UserError(failed) if there is none.
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
  nvrtcResult (*set_pch_heap_size)(std::size_t bytes) = nullptr;  // null before CUDA 12.8
};

/// NVRTC's release, such as "13.0". Throws UserError if there is no NVRTC.
[[nodiscard]] std::string nvrtc_version();

/// The folder of the toolkit's headers; absent if there is none. Only kernels that include toolkit
/// headers need it.
[[nodiscard]] std::optional<std::filesystem::path> cuda_include_folder();

}  // namespace gtune
