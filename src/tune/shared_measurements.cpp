#include "tune/shared_measurements.hpp"

#include <algorithm>
#include <map>

namespace gtune {

std::vector<MeasurementKey> shared_keys(const WorkerPool& workers, const MeasurementKey& first) {
  std::vector<MeasurementKey> keys{first};
  for (const WorkerPool::Member& member : workers.members()) {
    const bool known = std::any_of(keys.begin(), keys.end(), [&](const MeasurementKey& key) {
      return key.device == member.device_id;
    });
    // A worker that never started has no device.
    if (known || member.device_id == DeviceId{}) continue;
    keys.push_back(keys.front());
    keys.back().device = member.device_id;
  }
  return keys;
}

std::vector<StoredMeasurement> load_shared(const Database& database,
                                           const std::vector<MeasurementKey>& keys, Phase phase) {
  if (keys.size() == 1) return database.load_measurements(keys.front(), phase);
  std::map<std::string, StoredMeasurement> latest;
  for (const MeasurementKey& key : keys) {
    for (StoredMeasurement& stored : database.load_measurements(key, phase)) {
      std::string name = stored.measurement.config.text() + ';' + stored.measurement.label;
      const auto [place, is_new] = latest.try_emplace(std::move(name), stored);
      if (!is_new && stored.id > place->second.id) place->second = std::move(stored);
    }
  }
  std::vector<StoredMeasurement> all;
  for (auto& [name, stored] : latest) all.push_back(std::move(stored));
  std::sort(all.begin(), all.end(),
            [](const StoredMeasurement& a, const StoredMeasurement& b) { return a.id < b.id; });
  return all;
}

std::optional<RunId> find_ended(const Environment& env, const std::vector<MeasurementKey>& keys,
                                const std::string& space_signature) {
  for (const MeasurementKey& key : keys) {
    if (const auto run = env.database.find_ended_run(key, space_signature)) return run;
  }
  return std::nullopt;
}

}  // namespace gtune
