#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/cupti_library.hpp"

namespace gtune {

/// CUPTI's host object of a chip: schedules metrics and evaluates what was counted. One that
/// refused a metric is of no more use: a fresh one costs a millisecond at most.
class MetricHost {
 public:
  /// `availability`: the image of what a device's counters allow; empty where there is no device.
  MetricHost(const CuptiLibrary& cupti, const std::string& chip,
             std::vector<std::uint8_t> availability = {});
  ~MetricHost();
  MetricHost(const MetricHost&) = delete;
  MetricHost& operator=(const MetricHost&) = delete;

  [[nodiscard]] CUpti_Profiler_Host_Object* object() const { return m_object; }
  /// The image that tells the device what to count; empty where not all of them can be measured
  /// together on the chip. At most once for each object.
  [[nodiscard]] std::vector<std::uint8_t> schedule(const std::vector<std::string>& metrics) const;
  /// How many replays it takes; likewise.
  [[nodiscard]] std::optional<std::size_t> passes(const std::vector<std::string>& metrics) const;
  /// What the first range of `counter_data` comes to. Empty where CUPTI fails.
  [[nodiscard]] std::vector<double> evaluate(const std::vector<std::string>& metrics,
                                             const std::vector<std::uint8_t>& counter_data) const;

 private:
  const CuptiLibrary& m_cupti;
  std::vector<std::uint8_t> m_availability;
  CUpti_Profiler_Host_Object* m_object = nullptr;
};

/// The names as CUPTI takes them; valid as long as `names`.
[[nodiscard]] std::vector<const char*> pointers_to(const std::vector<std::string>& names);

}  // namespace gtune
