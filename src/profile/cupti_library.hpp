#pragma once

#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <cstddef>
#include <string>

namespace gtune {

/// CUPTI's metrics, range profiler and PC sampling, opened at run time: a machine without CUPTI can
/// still run everything else. The functions from `host_initialize` to `evaluate` and `line_of_sass`
/// need neither GPU nor driver; the others need a context.
class CuptiLibrary {
 public:
  /// Tries $GTUNE_CUPTI (a file), the loader's path, then the toolkit's folders. Throws
  /// UserError(failed) if there is none.
  CuptiLibrary();

  decltype(&::cuptiGetVersion) version = nullptr;
  decltype(&::cuptiGetResultString) result_string = nullptr;

  decltype(&::cuptiProfilerHostInitialize) host_initialize = nullptr;
  decltype(&::cuptiProfilerHostDeinitialize) host_deinitialize = nullptr;
  decltype(&::cuptiProfilerHostGetSupportedChips) supported_chips = nullptr;
  decltype(&::cuptiProfilerHostGetBaseMetrics) base_metrics = nullptr;
  decltype(&::cuptiProfilerHostGetMetricProperties) metric_properties = nullptr;
  decltype(&::cuptiProfilerHostConfigAddMetrics) add_metrics = nullptr;
  decltype(&::cuptiProfilerHostGetConfigImageSize) config_image_size = nullptr;
  decltype(&::cuptiProfilerHostGetConfigImage) config_image = nullptr;
  decltype(&::cuptiProfilerHostGetNumOfPasses) number_of_passes = nullptr;
  decltype(&::cuptiProfilerHostEvaluateToGpuValues) evaluate = nullptr;

  decltype(&::cuptiProfilerInitialize) initialize = nullptr;
  decltype(&::cuptiProfilerDeInitialize) deinitialize = nullptr;
  decltype(&::cuptiProfilerDeviceSupported) device_supported = nullptr;
  decltype(&::cuptiProfilerGetCounterAvailability) counter_availability = nullptr;
  decltype(&::cuptiDeviceGetChipName) chip_name = nullptr;

  decltype(&::cuptiRangeProfilerEnable) enable = nullptr;
  decltype(&::cuptiRangeProfilerDisable) disable = nullptr;
  decltype(&::cuptiRangeProfilerSetConfig) set_config = nullptr;
  decltype(&::cuptiRangeProfilerStart) start = nullptr;
  decltype(&::cuptiRangeProfilerStop) stop = nullptr;
  decltype(&::cuptiRangeProfilerPushRange) push_range = nullptr;
  decltype(&::cuptiRangeProfilerPopRange) pop_range = nullptr;
  decltype(&::cuptiRangeProfilerDecodeData) decode_data = nullptr;
  decltype(&::cuptiRangeProfilerGetCounterDataSize) counter_data_size = nullptr;
  decltype(&::cuptiRangeProfilerCounterDataImageInitialize) initialize_counter_data = nullptr;
  decltype(&::cuptiRangeProfilerGetCounterDataInfo) counter_data_info = nullptr;

  decltype(&::cuptiPCSamplingEnable) enable_sampling = nullptr;
  decltype(&::cuptiPCSamplingDisable) disable_sampling = nullptr;
  decltype(&::cuptiPCSamplingSetConfigurationAttribute) configure_sampling = nullptr;
  decltype(&::cuptiPCSamplingGetNumStallReasons) number_of_stall_reasons = nullptr;
  decltype(&::cuptiPCSamplingGetStallReasons) stall_reasons = nullptr;
  decltype(&::cuptiPCSamplingStart) start_sampling = nullptr;
  decltype(&::cuptiPCSamplingStop) stop_sampling = nullptr;
  decltype(&::cuptiPCSamplingGetData) sampling_data = nullptr;
  decltype(&::cuptiGetSassToSourceCorrelation) line_of_sass = nullptr;
};

/// CUPTI's release, such as "13.0". Throws UserError if there is no CUPTI.
[[nodiscard]] std::string cupti_version();

/// A parameter block for CUPTI, with its size set and all other fields zero.
template <typename Params>
[[nodiscard]] Params sized(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}

}  // namespace gtune
