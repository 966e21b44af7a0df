#include "export/sited_launch.hpp"

#include <limits>
#include <utility>

namespace gtune {

SitedLaunch::SitedLaunch(const SizeRules& rules, const Config& config, const DeviceFacts& device)
    : SitedLaunch(rules, OpenSizes(rules.spec(), config, device), device) {}

SitedLaunch::SitedLaunch(const SizeRules& rules, const OpenSizes& open, DeviceFacts device)
    : m_device(std::move(device)),
      m_constraints(rules.spec(), open),
      m_work_terms(rules.work_terms().reduced(open)) {}

double SitedLaunch::expected_ms(const ConfigModel& config, const std::vector<std::int64_t>& sizes,
                                const gtune_spot& spot) const {
  const auto work = m_work_terms.work(sizes);
  if (!work) return std::numeric_limits<double>::infinity();
  return model_time(config, *work, spot, m_device).compared_ms;
}

}  // namespace gtune
