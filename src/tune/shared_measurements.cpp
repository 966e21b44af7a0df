#include "tune/shared_measurements.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tune/also_results.hpp"

namespace gtune {

namespace {

std::string name_of(const StoredMeasurement& stored) {
  return stored.measurement.config.text() + ';' + stored.measurement.label;
}

}  // namespace

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
      const auto [place, is_new] = latest.try_emplace(name_of(stored), stored);
      if (!is_new && stored.id > place->second.id) place->second = std::move(stored);
    }
  }
  std::vector<StoredMeasurement> all;
  for (auto& [name, stored] : latest) all.push_back(std::move(stored));
  std::sort(all.begin(), all.end(),
            [](const StoredMeasurement& a, const StoredMeasurement& b) { return a.id < b.id; });
  return all;
}

std::vector<StoredMeasurement> load_reusable(const Environment& env,
                                             const std::vector<MeasurementKey>& keys,
                                             const Problem& problem, Phase phase) {
  std::vector<StoredMeasurement> all = load_shared(env.database, keys, phase);
  if (env.also == nullptr) return all;
  std::set<std::string> known;
  for (const StoredMeasurement& stored : all) known.insert(name_of(stored));
  for (StoredMeasurement& stored :
       load_shared(env.also->database(), env.also->keys(env, keys, problem), phase)) {
    if (known.contains(name_of(stored))) continue;
    stored.id = {};
    all.push_back(std::move(stored));
  }
  return all;
}

std::vector<Config> load_all_wrong(const Environment& env, const std::vector<MeasurementKey>& keys,
                                   const Problem& problem) {
  std::vector<Config> wrong;
  const auto add = [&](const Database& database, const std::vector<MeasurementKey>& there) {
    for (const MeasurementKey& key : there) {
      for (Config& config : database.load_wrong(key)) wrong.push_back(std::move(config));
    }
  };
  add(env.database, keys);
  if (env.also != nullptr) add(env.also->database(), env.also->keys(env, keys, problem));
  return wrong;
}

namespace {

std::optional<EndedRun> find_ended_in(const Database& database, std::vector<MeasurementKey> keys,
                                      const std::string& space_signature) {
  for (const MeasurementKey& key : keys) {
    const auto run = database.find_ended_run(key, space_signature);
    if (run) return EndedRun{*run, &database, std::move(keys)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<EndedRun> find_ended(const Environment& env, const std::vector<MeasurementKey>& keys,
                                   const Problem& problem, const std::string& space_signature) {
  if (auto own = find_ended_in(env.database, keys, space_signature)) return own;
  if (env.also == nullptr) return std::nullopt;
  return find_ended_in(env.also->database(), env.also->keys(env, keys, problem), space_signature);
}

}  // namespace gtune
