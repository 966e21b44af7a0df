#include "profile/metric_host.hpp"

#include <utility>

namespace gtune {

std::vector<const char*> pointers_to(const std::vector<std::string>& names) {
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  return pointers;
}

MetricHost::MetricHost(const CuptiLibrary& cupti, const std::string& chip,
                       std::vector<std::uint8_t> availability)
    : m_cupti(cupti), m_availability(std::move(availability)) {
  auto params = sized<CUpti_Profiler_Host_Initialize_Params>(
      CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = chip.c_str();
  params.pCounterAvailabilityImage = m_availability.empty() ? nullptr : m_availability.data();
  if (cupti.host_initialize(&params) == CUPTI_SUCCESS) m_object = params.pHostObject;
}

MetricHost::~MetricHost() {
  if (m_object == nullptr) return;
  auto params = sized<CUpti_Profiler_Host_Deinitialize_Params>(
      CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
  params.pHostObject = m_object;
  m_cupti.host_deinitialize(&params);
}

std::vector<std::uint8_t> MetricHost::schedule(const std::vector<std::string>& metrics) const {
  std::vector<const char*> names = pointers_to(metrics);
  auto add = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
      CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
  add.pHostObject = m_object;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  if (m_cupti.add_metrics(&add) != CUPTI_SUCCESS) return {};
  auto size = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
      CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
  size.pHostObject = m_object;
  if (m_cupti.config_image_size(&size) != CUPTI_SUCCESS) return {};
  std::vector<std::uint8_t> image(size.configImageSize);
  auto get = sized<CUpti_Profiler_Host_GetConfigImage_Params>(
      CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
  get.pHostObject = m_object;
  get.configImageSize = image.size();
  get.pConfigImage = image.data();
  if (m_cupti.config_image(&get) != CUPTI_SUCCESS) return {};
  return image;
}

std::optional<std::size_t> MetricHost::passes(const std::vector<std::string>& metrics) const {
  std::vector<std::uint8_t> image = schedule(metrics);
  if (image.empty()) return std::nullopt;
  auto params = sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(
      CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
  params.configImageSize = image.size();
  params.pConfigImage = image.data();
  if (m_cupti.number_of_passes(&params) != CUPTI_SUCCESS) return std::nullopt;
  return params.numOfPasses;
}

std::vector<double> MetricHost::evaluate(const std::vector<std::string>& metrics,
                                         const std::vector<std::uint8_t>& counter_data) const {
  std::vector<const char*> names = pointers_to(metrics);
  std::vector<double> values(metrics.size());
  auto params = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
      CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
  params.pHostObject = m_object;
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  params.pMetricValues = values.data();
  if (m_cupti.evaluate(&params) != CUPTI_SUCCESS) return {};
  return values;
}

}  // namespace gtune
