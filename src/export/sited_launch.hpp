#pragma once

#include <cstdint>
#include <vector>

#include "answer/size_rules.hpp"
#include "answer/time_model.hpp"
#include "spec/open_sizes.hpp"
#include "spec/size_constraints.hpp"

namespace gtune {

/// A launch on a device, prepared to be asked about many problems. `sizes`: a problem's
/// size_slots().
class SitedLaunch {
 public:
  SitedLaunch(const SizeRules& rules, const Config& config, const DeviceFacts& device);

  [[nodiscard]] bool allows(const std::vector<std::int64_t>& sizes) const {
    return m_constraints.hold(sizes);
  }
  /// The expected time for comparisons, in milliseconds, whether the launch is allowed or not;
  /// infinite if its work has no value. `spot`: of the problem on the model's grid.
  [[nodiscard]] double expected_ms(const ConfigModel& config,
                                   const std::vector<std::int64_t>& sizes,
                                   const gtune_spot& spot) const;

 private:
  SitedLaunch(const SizeRules& rules, const OpenSizes& open, DeviceFacts device);

  DeviceFacts m_device;
  SizeConstraints m_constraints;
  WorkTerms m_work_terms;
};

}  // namespace gtune
