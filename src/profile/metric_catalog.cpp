#include "profile/metric_catalog.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "model/error.hpp"
#include "profile/familiar_metrics.hpp"
#include "profile/metric_host.hpp"

namespace gtune {
namespace {

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
  const MetricHost host(m_cupti, m_chip);
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

const std::optional<MetricFacts>& MetricCatalog::find(const std::string& metric) const {
  const auto [found, is_new] = m_found.try_emplace(metric);
  if (is_new) found->second = ask(metric);
  return found->second;
}

std::optional<MetricFacts> MetricCatalog::ask(const std::string& metric) const {
  const MetricHost host(m_cupti, m_chip);
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
                                       " lists the familiar ones, and with --all every one");
}

std::size_t MetricCatalog::passes(const std::vector<std::string>& metrics) const {
  if (metrics.empty()) return 0;
  const auto passes = MetricHost(m_cupti, m_chip).passes(metrics);
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
