#pragma once

#include <cuda.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/metric.hpp"
#include "profile/metric_catalog.hpp"
#include "profile/metric_set.hpp"
#include "profile/replayed_launch.hpp"

namespace gtune {

/// CUPTI's range profiler on one context, for many kernels. It takes 0.2 s to open.
class RangeProfiler {
 public:
  /// Throws CountersUnavailable, CuptiError, or UserError if there is no CUPTI.
  RangeProfiler(int device_index, CUcontext context);
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  /// Measures metrics by familiar names or CUPTI's own; those that the device lacks have a reason
  /// in place of a value. After CountersUnavailable or CuptiError, the profiler is unusable.
  [[nodiscard]] std::vector<Metric> measure(const std::vector<std::string>& names,
                                            const ReplayedLaunch& kernel);

 private:
  void require_supported(int device_index) const;
  void read_availability();
  [[nodiscard]] MetricSet& set_of(const std::vector<std::string>& names);
  /// CUPTI keeps the number of passes of the first configuration, whatever is set later, so each
  /// group gets its own profiler, which is kept until another group is measured.
  void enable_for(MetricGroup& group);
  void disable();
  void measure(MetricGroup& group, const ReplayedLaunch& kernel, std::vector<Metric>& out);
  [[nodiscard]] std::vector<std::uint8_t> counter_data_of(const MetricGroup& group) const;
  void replay(const ReplayedLaunch& kernel);
  void check(CUptiResult result, const char* what) const;

  CuptiLibrary m_cupti;
  std::vector<std::uint8_t> m_availability;
  std::unique_ptr<MetricCatalog> m_catalog;
  CUcontext m_context;
  CUpti_RangeProfiler_Object* m_profiler = nullptr;
  const MetricGroup* m_enabled_for = nullptr;
  std::vector<std::uint8_t> m_blank_counter_data;        // initial counter data of that group
  std::map<std::vector<std::string>, MetricSet> m_sets;  // by names
};

}  // namespace gtune
