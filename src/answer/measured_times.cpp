#include "answer/measured_times.hpp"

namespace gtune {
namespace {

/// Of a problem on any GPU of the model.
std::string key_of(const DeviceFacts& device, const Problem& problem, const TimingMode& mode) {
  return device.name + (device.replayed ? "\n1" : "\n0") + mode.text() + "\n" + problem.text() +
         '\n';
}

}  // namespace

MeasuredTimes::MeasuredTimes(const std::vector<ConfigSpeed>& speeds) {
  for (const ConfigSpeed& speed : speeds) {
    const std::string key = key_of(speed.device, speed.problem, speed.mode);
    const std::vector<std::int64_t> values = speed.config.values();
    m_of_model[key][values] = speed.median_ms;
    m_of_gpu[key + speed.device.uuid][values] = speed.median_ms;
  }
}

MeasuredTimes::Place MeasuredTimes::at(const Winner& winner) const {
  const std::string key = key_of(winner.device, winner.problem, winner.mode);
  const auto find = [](const std::map<std::string, ByValues>& all, const std::string& wanted) {
    const auto found = all.find(wanted);
    return found == all.end() ? nullptr : &found->second;
  };
  Place place;
  place.m_of_gpu = find(m_of_gpu, key + winner.device.uuid);
  place.m_of_model = find(m_of_model, key);
  return place;
}

std::optional<double> MeasuredTimes::Place::find(const Config& config) const {
  const std::vector<std::int64_t> values = config.values();
  for (const ByValues* times : {m_of_gpu, m_of_model}) {
    if (times == nullptr) continue;
    if (const auto found = times->find(values); found != times->end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace gtune
