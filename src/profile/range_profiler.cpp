#include "profile/range_profiler.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>

#include "profile/cupti_error.hpp"

namespace gtune {
namespace {

/// More than any set of metrics takes; stops a profiler that would request passes forever.
constexpr int most_passes = 1000;

std::string chip_of_device(const CuptiLibrary& cupti, int device_index) {
  auto params = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  params.deviceIndex = static_cast<std::size_t>(device_index);
  check_cupti(cupti, cupti.chip_name(&params), "cuptiDeviceGetChipName");
  return params.pChipName;
}

/// The error that a call on such a device would return.
CUptiResult error_of(const CUpti_Profiler_DeviceSupported_Params& support) {
  constexpr auto yes = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
  if (support.confidentialCompute != yes) return CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED;
  if (support.vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED) {
    return CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES;
  }
  if (support.vGpu != yes) return CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED;
  if (support.wsl != yes) return CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED;
  if (support.cmp != yes) return CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED;
  if (support.sli != yes) return CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED;
  return CUPTI_ERROR_NOT_SUPPORTED;
}

Metric metric_of(const std::string& name, double value, const std::string& unit) {
  if (std::isfinite(value)) return {name, value, unit, ""};
  return {name, std::nullopt, unit,
          std::isnan(value) ? "not a number: there was nothing to count" : "infinite"};
}

}  // namespace

RangeProfiler::RangeProfiler(int device_index, CUcontext context) : m_context(context) {
  auto initialize =
      sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
  check(m_cupti.initialize(&initialize), "cuptiProfilerInitialize");
  require_supported(device_index);
  m_catalog = std::make_unique<MetricCatalog>(m_cupti, chip_of_device(m_cupti, device_index));
  read_availability();
}

RangeProfiler::~RangeProfiler() {
  disable();
  auto deinitialize =
      sized<CUpti_Profiler_DeInitialize_Params>(CUpti_Profiler_DeInitialize_Params_STRUCT_SIZE);
  m_cupti.deinitialize(&deinitialize);
}

void RangeProfiler::check(CUptiResult result, const char* what) const {
  check_cupti(m_cupti, result, what);
}

void RangeProfiler::require_supported(int device_index) const {
  auto params = sized<CUpti_Profiler_DeviceSupported_Params>(
      CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE);
  params.cuDevice = device_index;
  params.api = CUPTI_PROFILER_RANGE_PROFILING;
  check(m_cupti.device_supported(&params), "cuptiProfilerDeviceSupported");
  if (params.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return;
  const auto reason = why_unavailable(error_of(params));
  throw CountersUnavailable(reason ? *reason
                                   : "CUPTI reads no hardware counters of this device: it needs "
                                     "compute capability 7.5 or higher");
}

void RangeProfiler::read_availability() {
  auto params = sized<CUpti_Profiler_GetCounterAvailability_Params>(
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
  params.ctx = m_context;
  check(m_cupti.counter_availability(&params), "cuptiProfilerGetCounterAvailability");
  m_availability.resize(params.counterAvailabilityImageSize);
  params.pCounterAvailabilityImage = m_availability.data();
  check(m_cupti.counter_availability(&params), "cuptiProfilerGetCounterAvailability");
}

MetricSet& RangeProfiler::set_of(const std::vector<std::string>& names) {
  const auto found = m_sets.find(names);
  if (found != m_sets.end()) return found->second;
  return m_sets.emplace(names, schedule_metrics(m_cupti, *m_catalog, names, m_availability))
      .first->second;
}

std::vector<Metric> RangeProfiler::measure(const std::vector<std::string>& names,
                                           const ReplayedLaunch& kernel) {
  MetricSet& set = set_of(names);
  std::vector<Metric> metrics = set.refused;
  for (MetricGroup& group : set.groups) measure(group, kernel, metrics);
  return metrics;
}

void RangeProfiler::enable_for(MetricGroup& group) {
  if (m_enabled_for == &group) return;
  disable();
  auto params =
      sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
  params.ctx = m_context;
  check(m_cupti.enable(&params), "cuptiRangeProfilerEnable");
  m_profiler = params.pRangeProfilerObject;
  m_enabled_for = &group;
  m_blank_counter_data = counter_data_of(group);
}

void RangeProfiler::disable() {
  m_enabled_for = nullptr;
  if (m_profiler == nullptr) return;
  auto params =
      sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = std::exchange(m_profiler, nullptr);
  m_cupti.disable(&params);
}

std::vector<std::uint8_t> RangeProfiler::counter_data_of(const MetricGroup& group) const {
  std::vector<const char*> names = pointers_to(group.metrics);
  auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
  size.pRangeProfilerObject = m_profiler;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = 1;
  size.maxNumRangeTreeNodes = 1;
  check(m_cupti.counter_data_size(&size), "cuptiRangeProfilerGetCounterDataSize");
  std::vector<std::uint8_t> image(size.counterDataSize);
  auto initialize = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
  initialize.pRangeProfilerObject = m_profiler;
  initialize.counterDataSize = image.size();
  initialize.pCounterData = image.data();
  check(m_cupti.initialize_counter_data(&initialize), "cuptiRangeProfilerCounterDataImageInit");
  return image;
}

void RangeProfiler::replay(const ReplayedLaunch& kernel) {
  auto start =
      sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
  auto stop = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
  start.pRangeProfilerObject = stop.pRangeProfilerObject = m_profiler;
  for (int pass = 0; stop.isAllPassSubmitted == 0; ++pass) {
    if (pass == most_passes) throw CuptiError("CUPTI keeps requesting more passes");
    kernel.prepare();
    check(m_cupti.start(&start), "cuptiRangeProfilerStart");
    kernel.launch();
    check(m_cupti.stop(&stop), "cuptiRangeProfilerStop");
  }
}

void RangeProfiler::measure(MetricGroup& group, const ReplayedLaunch& kernel,
                            std::vector<Metric>& out) {
  enable_for(group);
  std::vector<std::uint8_t> counter_data = m_blank_counter_data;
  auto config =
      sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
  config.pRangeProfilerObject = m_profiler;
  config.configSize = group.config.size();
  config.pConfig = group.config.data();
  config.counterDataImageSize = counter_data.size();
  config.pCounterDataImage = counter_data.data();
  // A user-defined range would include the host's latency in its time.
  config.range = CUPTI_AutoRange;
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = 1;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  check(m_cupti.set_config(&config), "cuptiRangeProfilerSetConfig");
  replay(kernel);
  auto decode = sized<CUpti_RangeProfiler_DecodeData_Params>(
      CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
  decode.pRangeProfilerObject = m_profiler;
  check(m_cupti.decode_data(&decode), "cuptiRangeProfilerDecodeData");
  const std::vector<double> values = group.host->evaluate(group.metrics, counter_data);
  if (values.empty()) throw CuptiError("CUPTI counted, but cannot evaluate it");
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.push_back(metric_of(group.names[i], values[i], group.units[i]));
  }
}

}  // namespace gtune
