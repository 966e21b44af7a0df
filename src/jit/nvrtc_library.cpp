#include "jit/nvrtc_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

#include "model/error.hpp"
#include "system/toolkit_folders.hpp"

namespace gtune {
namespace {

std::vector<std::string> candidates() {
  // A file that the user names is the only one looked at: silently taking another would tune
  // with the wrong compiler.
  const char* named = std::getenv("GTUNE_NVRTC");
  if (named != nullptr && *named != '\0') return {named};
  const std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  std::vector<std::string> all = names;
  for (const auto& folder : toolkit_folders()) {
    for (const std::string& name : names) all.push_back(folder / "lib64" / name);
  }
  return all;
}

/// NVRTC opens its builtins by bare name and does not look beside itself: a library that is open
/// already is found.
void open_builtins(const std::filesystem::path& nvrtc) {
  if (!nvrtc.has_parent_path()) return;  // on the loader's path, and so are they
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(nvrtc.parent_path(), error)) {
    if (entry.path().filename().string().starts_with("libnvrtc-builtins.so.")) {
      dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
    }
  }
}

void* open_library() {
  for (const std::string& candidate : candidates()) {
    if (void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      open_builtins(candidate);
      return library;
    }
  }
  const char* named = std::getenv("GTUNE_NVRTC");
  throw UserError(
      ExitCode::failed,
      named != nullptr && *named != '\0'
          ? std::string("NVRTC cannot be opened at GTUNE_NVRTC=") + named
          : "NVRTC (libnvrtc.so, part of the CUDA Toolkit) is neither on the loader's path nor in "
            "/usr/local/cuda: install the toolkit, or set CUDA_HOME or GTUNE_NVRTC");
}

template <typename Function>
void resolve(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function == nullptr) {
    throw UserError(ExitCode::failed, std::string("this NVRTC is too old: it has no ") + symbol);
  }
}

}  // namespace

NvrtcLibrary::NvrtcLibrary() {
  void* library = open_library();  // stays open: its threads may outlive any object
  resolve(library, "nvrtcVersion", version);
  resolve(library, "nvrtcCreateProgram", create_program);
  resolve(library, "nvrtcDestroyProgram", destroy_program);
  resolve(library, "nvrtcAddNameExpression", add_name_expression);
  resolve(library, "nvrtcCompileProgram", compile_program);
  resolve(library, "nvrtcGetLoweredName", get_lowered_name);
  resolve(library, "nvrtcGetCUBINSize", get_cubin_size);
  resolve(library, "nvrtcGetCUBIN", get_cubin);
  resolve(library, "nvrtcGetPTXSize", get_ptx_size);
  resolve(library, "nvrtcGetPTX", get_ptx);
  resolve(library, "nvrtcGetProgramLogSize", get_log_size);
  resolve(library, "nvrtcGetProgramLog", get_log);
  resolve(library, "nvrtcGetErrorString", get_error_string);
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
