#include "profile/metric_catalog.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "model/error.hpp"
#include "profile/familiar_metrics.hpp"

namespace gtune {
namespace {

/// CUPTI's parameter blocks carry their size, and their other fields begin as zeros.
template <typename Params>
Params sized(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}

/// CUPTI's host object of a chip. One that refused a metric is of no more use: a fresh one costs
/// a millisecond at most.
class Host {
 public:
  Host(const CuptiLibrary& cupti, const std::string& chip) : m_cupti(cupti) {
    auto params = sized<CUpti_Profiler_Host_Initialize_Params>(
        CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.c_str();
    if (cupti.host_initialize(&params) == CUPTI_SUCCESS) m_object = params.pHostObject;
  }
  ~Host() {
    if (m_object == nullptr) return;
    auto params = sized<CUpti_Profiler_Host_Deinitialize_Params>(
        CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    params.pHostObject = m_object;
    m_cupti.host_deinitialize(&params);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  [[nodiscard]] CUpti_Profiler_Host_Object* object() const { return m_object; }

  /// Absent where not all of them can be measured on the chip. At most once for each object.
  [[nodiscard]] std::optional<std::size_t> passes(const std::vector<std::string>& metrics) const {
    std::vector<const char*> names;
    for (const std::string& metric : metrics) names.push_back(metric.c_str());
    auto add = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    add.pHostObject = m_object;
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    if (m_cupti.add_metrics(&add) != CUPTI_SUCCESS) return std::nullopt;
    return passes_of(config_image());
  }

 private:
  [[nodiscard]] std::vector<std::uint8_t> config_image() const {
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

  [[nodiscard]] std::optional<std::size_t> passes_of(std::vector<std::uint8_t> image) const {
    if (image.empty()) return std::nullopt;
    auto params = sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(
        CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
    params.configImageSize = image.size();
    params.pConfigImage = image.data();
    if (m_cupti.number_of_passes(&params) != CUPTI_SUCCESS) return std::nullopt;
    return params.numOfPasses;
  }

  const CuptiLibrary& m_cupti;
  CUpti_Profiler_Host_Object* m_object = nullptr;
};

struct Rollup {
  CUpti_MetricType type;
  const char* suffix;
};

constexpr std::array<Rollup, 3> rollups = {{
    {CUPTI_METRIC_TYPE_COUNTER, ".sum"},
    {CUPTI_METRIC_TYPE_RATIO, ".ratio"},
    {CUPTI_METRIC_TYPE_THROUGHPUT, ".avg.pct_of_peak_sustained_elapsed"},
}};

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

std::vector<std::string> MetricCatalog::chips(const CuptiLibrary& cupti) {
  auto params = sized<CUpti_Profiler_Host_GetSupportedChips_Params>(
      CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE);
  if (cupti.supported_chips(&params) != CUPTI_SUCCESS) return {};
  return {params.ppChipNames, params.ppChipNames + params.numChips};
}

MetricCatalog::MetricCatalog(const CuptiLibrary& cupti, std::string chip)
    : m_cupti(cupti), m_chip(std::move(chip)) {
  const std::vector<std::string> known = chips(cupti);
  if (std::find(known.begin(), known.end(), m_chip) != known.end()) return;
  std::string all;
  for (const std::string& each : known) all += (all.empty() ? "" : ", ") + each;
  throw UserError(ExitCode::usage, "CUPTI knows no chip '" + m_chip + "'; expected one of " + all);
}

std::vector<std::string> MetricCatalog::metrics() const {
  const Host host(m_cupti, m_chip);
  std::vector<std::string> all;
  for (const auto& [type, suffix] : rollups) {
    auto params = sized<CUpti_Profiler_Host_GetBaseMetrics_Params>(
        CUpti_Profiler_Host_GetBaseMetrics_Params_STRUCT_SIZE);
    params.pHostObject = host.object();
    params.metricType = type;
    if (m_cupti.base_metrics(&params) != CUPTI_SUCCESS) continue;
    for (std::size_t i = 0; i < params.numMetrics; ++i) {
      all.push_back(params.ppMetricNames[i] + std::string(suffix));
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::optional<MetricFacts> MetricCatalog::find(const std::string& metric) const {
  const Host host(m_cupti, m_chip);
  auto params = sized<CUpti_Profiler_Host_GetMetricProperties_Params>(
      CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE);
  params.pHostObject = host.object();
  params.pMetricName = metric.c_str();
  if (m_cupti.metric_properties(&params) != CUPTI_SUCCESS) return std::nullopt;
  MetricFacts facts{metric, text_or_empty(params.pDescription), text_or_empty(params.pDimUnit), 0};
  const auto passes = host.passes({metric});
  if (!passes) return std::nullopt;
  facts.passes = *passes;
  return facts;
}

std::string MetricCatalog::resolve(std::string_view name) const {
  if (const FamiliarMetric* familiar = find_familiar(name)) {
    for (const std::string_view metric : familiar->metrics) {
      if (find(std::string(metric))) return std::string(metric);
    }
    throw UserError(ExitCode::usage, m_chip + " has no metric for '" + std::string(name) + "'");
  }
  if (find(std::string(name))) return std::string(name);
  throw UserError(ExitCode::usage, m_chip + " has no metric '" + std::string(name) +
                                       "'; gtune metrics --chip " + m_chip +
                                       " lists them, with --all every one");
}

std::size_t MetricCatalog::passes(const std::vector<std::string>& metrics) const {
  if (metrics.empty()) return 0;
  const auto passes = Host(m_cupti, m_chip).passes(metrics);
  if (!passes) {
    throw UserError(ExitCode::usage, m_chip + " cannot measure these metrics together");
  }
  return *passes;
}

std::optional<std::string> chip_of(int compute_capability) {
  constexpr std::array<std::pair<int, const char*>, 9> chips = {{{75, "TU102"},
                                                                 {80, "GA100"},
                                                                 {86, "GA102"},
                                                                 {87, "GA10B"},
                                                                 {89, "AD102"},
                                                                 {90, "GH100"},
                                                                 {100, "GB100"},
                                                                 {120, "GB202"},
                                                                 {121, "GB20B"}}};
  for (const auto& [cc, chip] : chips) {
    if (cc == compute_capability) return chip;
  }
  return std::nullopt;
}

}  // namespace gtune
