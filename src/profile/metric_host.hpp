#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/cupti_library.hpp"

namespace gtune {

/// CUPTI's host object of a chip: schedules metrics and evaluates counts. An object that has
/// refused a metric is unusable; a fresh one costs a millisecond at most.
class MetricHost {
 public:
  /// `availability`: CUPTI's image of a device's available counters; empty without a device.
  MetricHost(const CuptiLibrary& cupti, const std::string& chip,
             std::vector<std::uint8_t> availability = {});
  ~MetricHost();
  MetricHost(const MetricHost&) = delete;
  MetricHost& operator=(const MetricHost&) = delete;

  [[nodiscard]] CUpti_Profiler_Host_Object* object() const { return m_object; }
  /// The image that tells the device what to count; empty if the chip cannot measure them all
  /// together. May be called once per object.
  [[nodiscard]] std::vector<std::uint8_t> schedule(const std::vector<std::string>& metrics) const;
  /// How many replays they take; absent if not all can be measured together. Calls schedule().
  [[nodiscard]] std::optional<std::size_t> passes(const std::vector<std::string>& metrics) const;
  /// The metrics' values in the first range of `counter_data`; empty if CUPTI fails.
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
