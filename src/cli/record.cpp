#include "cli/record.hpp"

#include <algorithm>
#include <map>

#include "model/error.hpp"
#include "system/utc_now.hpp"
#include "tune/winner_check.hpp"
#include "worker/recording.hpp"

namespace gtune {
namespace {

/// How many of the fastest are checked on awkward sizes: a replay's winner is among them.
constexpr int awkward_checks = 50;

std::optional<LineProfile> lines_of(const Database& database, MeasurementId id) {
  auto stored = database.load_line_profile(id);
  return stored ? std::move(stored->profile) : std::nullopt;
}

std::vector<RecordedMeasurement> measurements_of(const Environment& env,
                                                 const MeasurementKey& key) {
  std::map<std::string, std::vector<double>> final_samples;
  std::map<std::string, std::vector<Metric>> final_metrics;
  std::map<std::string, std::optional<LineProfile>> final_lines;
  for (const auto& stored : env.database.load_measurements(key, Phase::final)) {
    const Measurement& m = stored.measurement;
    if (!m.ok()) continue;
    final_samples[m.config.text()] = m.timing->samples_ms;
    final_metrics[m.config.text()] = env.database.load_metrics(stored.id);
    final_lines[m.config.text()] = lines_of(env.database, stored.id);
  }
  std::vector<RecordedMeasurement> all;
  for (auto& stored : env.database.load_measurements(key, Phase::search)) {
    Measurement& m = stored.measurement;
    if (m.ok()) {
      // The final's samples are of the same kernel on the same buffers.
      const auto& more = final_samples[m.config.text()];
      m.timing->samples_ms.insert(m.timing->samples_ms.end(), more.begin(), more.end());
    }
    auto metrics = env.database.load_metrics(stored.id);
    if (const auto final = final_metrics.find(m.config.text()); final != final_metrics.end()) {
      metrics = final->second;
    }
    auto lines = final_lines[m.config.text()];
    all.push_back({std::move(m), std::nullopt, std::move(metrics), std::move(lines)});
  }
  for (auto& stored : env.database.load_measurements(key, Phase::baseline)) {
    all.push_back({std::move(stored.measurement), std::nullopt,
                   env.database.load_metrics(stored.id), lines_of(env.database, stored.id)});
  }
  return all;
}

void check_the_best(ProblemState& state, std::vector<RecordedMeasurement>& all) {
  std::vector<RecordedMeasurement*> order;
  for (RecordedMeasurement& recorded : all) {
    if (recorded.measurement.phase == Phase::search && recorded.measurement.ok()) {
      order.push_back(&recorded);
    }
  }
  const auto most = std::min<std::size_t>(order.size(), awkward_checks);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [](const RecordedMeasurement* a, const RecordedMeasurement* b) {
                      return a->measurement.timing->median_ms < b->measurement.timing->median_ms;
                    });
  for (std::size_t i = 0; i < most; ++i) {
    const AwkwardResult result = check_awkward(state, order[i]->measurement.config);
    if (result.performed) order[i]->passed_awkward = !result.failure;
  }
}

}  // namespace

void prepare_for_recording(RunSettings& settings, bool whole_space) {
  if (!whole_space) return;
  settings.strategy = "exhaustive";
  settings.budget = {};
}

void record(const Environment& env, const RunSettings& settings, const ProblemOutcome& outcome,
            const Problem& problem, const SearchSpace& space, const std::filesystem::path& file) {
  Recording recording;
  recording.kernel = env.identity;
  recording.toolchain = env.toolchain;
  recording.device = env.workers.device_of(outcome.keys.front().device);
  recording.problem = problem;
  recording.mode = settings.mode;
  recording.created = utc_now();
  recording.command = settings.command_line;
  recording.measurements = measurements_of(env, outcome.keys.front());
  ProblemState state(env, settings, problem, space, outcome.keys.front(), outcome.run);
  check_the_best(state, recording.measurements);
  write_recording(recording, file);
  env.observer.on_note(std::to_string(recording.measurements.size()) + " measurements written to " +
                       file.string());
}

}  // namespace gtune
