#include "profile/cupti_library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "model/error.hpp"
#include "system/toolkit_library.hpp"

namespace gtune {
namespace {

void open_perfworks(const std::filesystem::path& folder) {
  dlopen((folder / "libnvperf_host.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
}

}  // namespace

CuptiLibrary::CuptiLibrary() {
  const ToolkitLibrary library(
      {"CUPTI", "libcupti.so", "GTUNE_CUPTI", {"lib64", "extras/CUPTI/lib64"}, open_perfworks});
  library.resolve("cuptiGetVersion", version);
  library.resolve("cuptiGetResultString", result_string);
  library.resolve("cuptiProfilerHostInitialize", host_initialize);
  library.resolve("cuptiProfilerHostDeinitialize", host_deinitialize);
  library.resolve("cuptiProfilerHostGetSupportedChips", supported_chips);
  library.resolve("cuptiProfilerHostGetBaseMetrics", base_metrics);
  library.resolve("cuptiProfilerHostGetMetricProperties", metric_properties);
  library.resolve("cuptiProfilerHostConfigAddMetrics", add_metrics);
  library.resolve("cuptiProfilerHostGetConfigImageSize", config_image_size);
  library.resolve("cuptiProfilerHostGetConfigImage", config_image);
  library.resolve("cuptiProfilerHostGetNumOfPasses", number_of_passes);
  library.resolve("cuptiProfilerHostEvaluateToGpuValues", evaluate);
  library.resolve("cuptiProfilerInitialize", initialize);
  library.resolve("cuptiProfilerDeInitialize", deinitialize);
  library.resolve("cuptiProfilerDeviceSupported", device_supported);
  library.resolve("cuptiProfilerGetCounterAvailability", counter_availability);
  library.resolve("cuptiDeviceGetChipName", chip_name);
  library.resolve("cuptiRangeProfilerEnable", enable);
  library.resolve("cuptiRangeProfilerDisable", disable);
  library.resolve("cuptiRangeProfilerSetConfig", set_config);
  library.resolve("cuptiRangeProfilerStart", start);
  library.resolve("cuptiRangeProfilerStop", stop);
  library.resolve("cuptiRangeProfilerPushRange", push_range);
  library.resolve("cuptiRangeProfilerPopRange", pop_range);
  library.resolve("cuptiRangeProfilerDecodeData", decode_data);
  library.resolve("cuptiRangeProfilerGetCounterDataSize", counter_data_size);
  library.resolve("cuptiRangeProfilerCounterDataImageInitialize", initialize_counter_data);
  library.resolve("cuptiRangeProfilerGetCounterDataInfo", counter_data_info);
  library.resolve("cuptiPCSamplingEnable", enable_sampling);
  library.resolve("cuptiPCSamplingDisable", disable_sampling);
  library.resolve("cuptiPCSamplingSetConfigurationAttribute", configure_sampling);
  library.resolve("cuptiPCSamplingGetNumStallReasons", number_of_stall_reasons);
  library.resolve("cuptiPCSamplingGetStallReasons", stall_reasons);
  library.resolve("cuptiPCSamplingStart", start_sampling);
  library.resolve("cuptiPCSamplingStop", stop_sampling);
  library.resolve("cuptiPCSamplingGetData", sampling_data);
  library.resolve("cuptiGetSassToSourceCorrelation", line_of_sass);
}

std::string cupti_version() {
  std::uint32_t number = 0;  // 130000 is 13.0
  if (CuptiLibrary().version(&number) != CUPTI_SUCCESS) {
    throw UserError(ExitCode::failed, "this CUPTI does not report its version");
  }
  return std::to_string(number / 10000) + '.' + std::to_string(number % 10000 / 100);
}

}  // namespace gtune
