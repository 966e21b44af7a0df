#include "explain/stored_subject.hpp"

#include <algorithm>

#include "spec/evaluate.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
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

std::vector<Subject> counted_subjects(const Database& database, const KernelSpec& spec,
                                      const BestRow& best) {
  std::vector<Subject> subjects;
  for (const StoredMeasurement& each : database.load_counted(best.best.id, "dram_bytes")) {
    const Measurement& measured = each.measurement;
    const bool is_baseline = measured.phase == Phase::baseline;
    subjects.push_back(
        stored_subject(database, spec, best,
                       is_baseline ? measured.label : config_text(spec, measured.config), each));
  }
  return subjects;
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
