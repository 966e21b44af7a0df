#include "jit/nvrtc_library.hpp"

#include <dlfcn.h>

#include "system/toolkit_folders.hpp"
#include "system/toolkit_library.hpp"

namespace gtune {
namespace {

void open_builtins(const std::filesystem::path& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with("libnvrtc-builtins.so.")) {
      dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
    }
  }
}

}  // namespace

NvrtcLibrary::NvrtcLibrary() {
  const ToolkitLibrary library({"NVRTC", "libnvrtc.so", "GTUNE_NVRTC", {"lib64"}, open_builtins});
  library.resolve("nvrtcVersion", version);
  library.resolve("nvrtcCreateProgram", create_program);
  library.resolve("nvrtcDestroyProgram", destroy_program);
  library.resolve("nvrtcAddNameExpression", add_name_expression);
  library.resolve("nvrtcCompileProgram", compile_program);
  library.resolve("nvrtcGetLoweredName", get_lowered_name);
  library.resolve("nvrtcGetCUBINSize", get_cubin_size);
  library.resolve("nvrtcGetCUBIN", get_cubin);
  library.resolve("nvrtcGetPTXSize", get_ptx_size);
  library.resolve("nvrtcGetPTX", get_ptx);
  library.resolve("nvrtcGetProgramLogSize", get_log_size);
  library.resolve("nvrtcGetProgramLog", get_log);
  library.resolve("nvrtcGetErrorString", get_error_string);
  library.resolve_if_there("nvrtcSetPCHHeapSize", set_pch_heap_size);
}

std::string nvrtc_version() {
  int major = 0;
  int minor = 0;
  NvrtcLibrary().version(&major, &minor);
  return std::to_string(major) + '.' + std::to_string(minor);
}

std::optional<std::filesystem::path> cuda_include_folder() {
  for (const auto& folder : toolkit_folders()) {
    if (std::filesystem::exists(folder / "include" / "cuda_runtime_api.h")) {
      return folder / "include";
    }
  }
  return std::nullopt;
}

}  // namespace gtune
