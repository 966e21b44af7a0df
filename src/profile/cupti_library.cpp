#include "profile/cupti_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "model/error.hpp"
#include "system/toolkit_folders.hpp"

namespace gtune {
namespace {

std::vector<std::filesystem::path> candidates() {
  const char* named = std::getenv("GTUNE_CUPTI");
  if (named != nullptr && *named != '\0') return {named};
  const std::vector<std::string> names = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
  std::vector<std::filesystem::path> all(names.begin(), names.end());
  for (const auto& folder : toolkit_folders()) {
    for (const auto& libraries : {folder / "lib64", folder / "extras" / "CUPTI" / "lib64"}) {
      for (const std::string& name : names) all.push_back(libraries / name);
    }
  }
  return all;
}

void* open_library() {
  for (const std::filesystem::path& candidate : candidates()) {
    // CUPTI opens libnvperf_host.so by its bare name and does not look beside itself: one that is
    // open already is found.
    if (candidate.has_parent_path()) {
      dlopen((candidate.parent_path() / "libnvperf_host.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
    }
    if (void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  const char* named = std::getenv("GTUNE_CUPTI");
  throw UserError(
      ExitCode::failed,
      named != nullptr && *named != '\0'
          ? std::string("CUPTI cannot be opened at GTUNE_CUPTI=") + named
          : "CUPTI (libcupti.so, part of the CUDA Toolkit) is neither on the loader's path nor in "
            "/usr/local/cuda: install it, or set CUDA_HOME or GTUNE_CUPTI");
}

template <typename Function>
void resolve(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function == nullptr) {
    throw UserError(ExitCode::failed, std::string("this CUPTI is too old: it has no ") + symbol);
  }
}

}  // namespace

CuptiLibrary::CuptiLibrary() {
  void* library = open_library();  // stays open, as what it gives out points into it
  resolve(library, "cuptiGetVersion", version);
  resolve(library, "cuptiGetResultString", result_string);
  resolve(library, "cuptiProfilerHostInitialize", host_initialize);
  resolve(library, "cuptiProfilerHostDeinitialize", host_deinitialize);
  resolve(library, "cuptiProfilerHostGetSupportedChips", supported_chips);
  resolve(library, "cuptiProfilerHostGetBaseMetrics", base_metrics);
  resolve(library, "cuptiProfilerHostGetMetricProperties", metric_properties);
  resolve(library, "cuptiProfilerHostConfigAddMetrics", add_metrics);
  resolve(library, "cuptiProfilerHostGetConfigImageSize", config_image_size);
  resolve(library, "cuptiProfilerHostGetConfigImage", config_image);
  resolve(library, "cuptiProfilerHostGetNumOfPasses", number_of_passes);
  resolve(library, "cuptiProfilerHostEvaluateToGpuValues", evaluate);
  resolve(library, "cuptiProfilerInitialize", initialize);
  resolve(library, "cuptiProfilerDeInitialize", deinitialize);
  resolve(library, "cuptiProfilerDeviceSupported", device_supported);
  resolve(library, "cuptiProfilerGetCounterAvailability", counter_availability);
  resolve(library, "cuptiDeviceGetChipName", chip_name);
  resolve(library, "cuptiRangeProfilerEnable", enable);
  resolve(library, "cuptiRangeProfilerDisable", disable);
  resolve(library, "cuptiRangeProfilerSetConfig", set_config);
  resolve(library, "cuptiRangeProfilerStart", start);
  resolve(library, "cuptiRangeProfilerStop", stop);
  resolve(library, "cuptiRangeProfilerPushRange", push_range);
  resolve(library, "cuptiRangeProfilerPopRange", pop_range);
  resolve(library, "cuptiRangeProfilerDecodeData", decode_data);
  resolve(library, "cuptiRangeProfilerGetCounterDataSize", counter_data_size);
  resolve(library, "cuptiRangeProfilerCounterDataImageInitialize", initialize_counter_data);
  resolve(library, "cuptiRangeProfilerGetCounterDataInfo", counter_data_info);
}

std::string cupti_version() {
  std::uint32_t number = 0;  // 130000 is 13.0
  if (CuptiLibrary().version(&number) != CUPTI_SUCCESS) {
    throw UserError(ExitCode::failed, "this CUPTI does not say its version");
  }
  return std::to_string(number / 10000) + '.' + std::to_string(number % 10000 / 100);
}

}  // namespace gtune
