#include "answer/measured_times.hpp"

namespace gtune {
namespace {

/// Where a configuration was measured, on any GPU of the model.
std::string key_of(const DeviceFacts& device, const Problem& problem, const TimingMode& mode,
                   const Config& config) {
  return device.name + (device.replayed ? "\n1" : "\n0") + mode.text() + "\n" + problem.text() +
         '\n' + config.text();
}

}  // namespace

MeasuredTimes::MeasuredTimes(const std::vector<ConfigSpeed>& speeds) {
  for (const ConfigSpeed& speed : speeds) {
    const std::string key = key_of(speed.device, speed.problem, speed.mode, speed.config);
    m_of_model[key] = speed.median_ms;
    m_of_gpu[key + speed.device.uuid] = speed.median_ms;
  }
}

std::optional<double> MeasuredTimes::find(const Winner& where, const Config& config) const {
  const std::string key = key_of(where.device, where.problem, where.mode, config);
  const auto own = m_of_gpu.find(key + where.device.uuid);
  if (own != m_of_gpu.end()) return own->second;
  const auto any = m_of_model.find(key);
  return any == m_of_model.end() ? std::nullopt : std::optional(any->second);
}

}  // namespace gtune
