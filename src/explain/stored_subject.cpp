#include "explain/stored_subject.hpp"

#include <algorithm>

#include "explain/only_difference.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// With more, comparing each with each would take seconds.
constexpr std::size_t k_most_around = 300;

std::vector<StoredMeasurement> load_counted(const Database& database, const BestRow& best) {
  std::vector<StoredMeasurement> stored = database.load_counted(best.best.id, "dram_bytes");
  std::erase_if(stored, [](const auto& each) { return each.measurement.phase == Phase::baseline; });
  return stored;
}

std::vector<Subject> subjects_of(const Database& database, const KernelSpec& spec,
                                 const BestRow& best,
                                 const std::vector<StoredMeasurement>& stored) {
  std::vector<Subject> subjects;
  for (const StoredMeasurement& each : stored) {
    subjects.push_back(stored_subject(database, spec, best, "", each));
  }
  return subjects;
}

}  // namespace

Subject stored_subject(const Database& database, const KernelSpec& spec, const BestRow& best,
                       std::string name, const StoredMeasurement& stored) {
  const Measurement& measured = stored.measurement;
  return {std::move(name), best.device, measured,
          find_static_facts(spec, best.problem, best.device, measured),
          database.load_comparable_metrics(stored.id)};
}

std::vector<SampledConfig> sampled_configs(const Database& database, const KernelSpec& spec,
                                           MeasurementId base) {
  std::vector<SampledConfig> configs;
  for (const StoredMeasurement& each : database.load_sampled(base)) {
    auto lines = database.load_line_profile(each.id);
    if (!lines || !lines->profile) continue;
    const Measurement& measured = each.measurement;
    configs.push_back({existing_values(spec, measured.config), measured.timing->median_ms,
                       std::move(*lines->profile)});
  }
  return configs;
}

std::vector<Subject> counted_configs(const Database& database, const KernelSpec& spec,
                                     const BestRow& best) {
  return subjects_of(database, spec, best, load_counted(database, best));
}

std::vector<Subject> counted_configs_around(const Database& database, const KernelSpec& spec,
                                            const BestRow& best, const Config& config) {
  std::vector<StoredMeasurement> stored = load_counted(database, best);
  const auto faster = [](const auto& a, const auto& b) {
    return a.measurement.timing->median_ms < b.measurement.timing->median_ms;
  };
  std::stable_sort(stored.begin(), stored.end(), faster);
  std::stable_partition(stored.begin(), stored.end(), [&](const StoredMeasurement& each) {
    const Config& other = each.measurement.config;
    return other == config || only_difference(config, other).has_value();
  });
  if (stored.size() > k_most_around) stored.resize(k_most_around);
  return subjects_of(database, spec, best, stored);
}

std::vector<ConfigSpeed> speeds_beside(const Database& database, const KernelIdentity& identity,
                                       const BestRow& best) {
  std::vector<ConfigSpeed> speeds =
      database.load_speeds(identity, {best.problem, best.device.name});
  std::erase_if(speeds, [&](const ConfigSpeed& each) {
    return each.device.uuid != best.device.uuid || each.device.replayed != best.device.replayed;
  });
  return speeds;
}

}  // namespace gtune
