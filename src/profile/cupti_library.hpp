#pragma once

#include <cupti_profiler_host.h>

namespace gtune {

/// The part of CUPTI that knows metrics, opened at run time: it needs neither GPU nor driver, and
/// a machine without CUPTI can still run everything else.
class CuptiLibrary {
 public:
  /// Looks at $GTUNE_CUPTI (a file), then at the loader's path, then in the toolkit's folders.
  /// Throws UserError(failed) where there is none.
  CuptiLibrary();

  decltype(&::cuptiProfilerHostInitialize) host_initialize = nullptr;
  decltype(&::cuptiProfilerHostDeinitialize) host_deinitialize = nullptr;
  decltype(&::cuptiProfilerHostGetSupportedChips) supported_chips = nullptr;
  decltype(&::cuptiProfilerHostGetBaseMetrics) base_metrics = nullptr;
  decltype(&::cuptiProfilerHostGetMetricProperties) metric_properties = nullptr;
  decltype(&::cuptiProfilerHostConfigAddMetrics) add_metrics = nullptr;
  decltype(&::cuptiProfilerHostGetConfigImageSize) config_image_size = nullptr;
  decltype(&::cuptiProfilerHostGetConfigImage) config_image = nullptr;
  decltype(&::cuptiProfilerHostGetNumOfPasses) number_of_passes = nullptr;
};

}  // namespace gtune
