#include "answer/measured_times.hpp"

namespace gtune {
namespace {

std::string key_of(const DeviceFacts& device, const Problem& problem, bool l2_flushed,
                   const Config& config) {
  return device.uuid + '\n' + device.name + (device.replayed ? "\n1" : "\n0") +
         (l2_flushed ? "1\n" : "0\n") + problem.text() + '\n' + config.text();
}

}  // namespace

MeasuredTimes::MeasuredTimes(const std::vector<ConfigSpeed>& speeds) {
  for (const ConfigSpeed& speed : speeds) {
    m_times[key_of(speed.device, speed.problem, speed.l2_flushed, speed.config)] = speed.median_ms;
  }
}

std::optional<double> MeasuredTimes::find(const Winner& where, const Config& config) const {
  const auto found = m_times.find(key_of(where.device, where.problem, where.l2_flushed, config));
  if (found == m_times.end()) return std::nullopt;
  return found->second;
}

}  // namespace gtune
