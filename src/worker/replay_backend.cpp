#include "worker/replay_backend.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include "model/error.hpp"
#include "model/step_metrics.hpp"
#include "system/environment_number.hpp"

namespace gtune {
namespace {

/// Configurations with the same values have the same key, whatever the order of the parameters.
std::string key_of(const Config& config) {
  auto entries = config.entries();
  std::sort(entries.begin(), entries.end());
  Config sorted;
  for (const auto& [name, value] : entries) sorted.set(name, value);
  return sorted.text();
}

}  // namespace

class ReplayBackend::Source : public SampleSource {
 public:
  Source(const Timing& timing, std::size_t& next) : m_timing(timing), m_next(next) {}

  std::vector<Sample> take(int count) override {
    std::vector<Sample> samples;
    for (int i = 0; i < count && m_next < m_timing.samples_ms.size(); ++i) {
      samples.push_back({m_timing.samples_ms[m_next++], m_timing.sm_clock_mhz});
    }
    return samples;
  }

 private:
  const Timing& m_timing;
  std::size_t& m_next;
};

ReplayBackend::ReplayBackend(std::vector<Recording> recordings) {
  constexpr std::int64_t hour = 3600000;
  m_delay =
      std::chrono::milliseconds(environment_number("GTUNE_REPLAY_DELAY_MS", 0, hour).value_or(0));
  for (Recording& recording : recordings) {
    recording.device.replayed = true;
    m_tapes.push_back({std::move(recording), {}, {}});
  }
  for (Tape& tape : m_tapes) {
    for (const RecordedMeasurement& recorded : tape.recording.measurements) {
      const Measurement& m = recorded.measurement;
      if (m.phase == Phase::baseline) {
        tape.by_label[m.label] = {&recorded};
      } else {
        tape.by_config[key_of(m.config)] = {&recorded};
      }
    }
  }
  m_tape = &m_tapes.front();
}

HelloReply ReplayBackend::answer(const Hello& request) {
  const Recording& first = m_tapes.front().recording;
  const KernelIdentity& asked = request.kernel;
  if (request.remote &&
      (asked.name != first.kernel.name || asked.source_hash != first.kernel.source_hash ||
       asked.spec_hash != first.kernel.spec_hash)) {
    throw UserError(ExitCode::failed, "the worker's recording is of " + first.kernel.name +
                                          " with source " + first.kernel.source_hash.substr(0, 8) +
                                          " and spec " + first.kernel.spec_hash.substr(0, 8) +
                                          ", the tuner's files are " + asked.name + " with " +
                                          asked.source_hash.substr(0, 8) + " and " +
                                          asked.spec_hash.substr(0, 8));
  }
  HelloReply reply;
  reply.device = first.device;
  reply.recorded_kernel = first.kernel;
  reply.recorded_toolchain = first.toolchain;
  std::set<std::string> seen;
  for (const Tape& tape : m_tapes) {
    for (const RecordedMeasurement& recorded : tape.recording.measurements) {
      const Measurement& m = recorded.measurement;
      reply.measures_energy = reply.measures_energy || energy_use(recorded.metrics);
      if (m.phase == Phase::search && seen.insert(key_of(m.config)).second) {
        reply.recorded_configs.push_back(m.config);
      }
    }
  }
  return reply;
}

PrepareReply ReplayBackend::answer(const Prepare&) {
  return {m_tapes.front().recording.device.limits};
}

OpenProblemReply ReplayBackend::answer(const OpenProblem& request) {
  m_awkward = request.awkward;
  if (m_awkward) return {};
  std::string known;
  for (Tape& tape : m_tapes) {
    if (tape.recording.problem == request.problem) {
      m_tape = &tape;
      return {};
    }
    known += (known.empty() ? "" : "; ") + tape.recording.problem.text();
  }
  throw UserError(ExitCode::nothing_stored,
                  "the recording holds " + m_tapes.front().recording.kernel.name + " at " + known +
                      ", not at " + request.problem.text() + "; other sizes need a GPU");
}

ReplayBackend::Entry* ReplayBackend::find(const Measure& request) {
  auto& map = request.label.empty() ? m_tape->by_config : m_tape->by_label;
  const auto found = map.find(request.label.empty() ? key_of(request.config) : request.label);
  return found == map.end() ? nullptr : &found->second;
}

MeasureReply ReplayBackend::answer(const Measure& request) {
  std::this_thread::sleep_for(m_delay);
  MeasureReply reply;
  Entry* entry = find(request);
  const bool missing = entry == nullptr ||
                       (m_awkward && !entry->recorded->passed_awkward.has_value()) ||
                       (!m_awkward && request.mode != m_tape->recording.mode);
  if (missing) {
    reply.status = Status::pruned;
    reply.reason = "not in the recording";
    reply.performed = false;
    return reply;
  }
  if (m_awkward) {
    reply.status = *entry->recorded->passed_awkward ? Status::ok : Status::wrong_result;
    return reply;
  }
  const Measurement& recorded = entry->recorded->measurement;
  reply.status = recorded.status;
  reply.reason = recorded.reason;
  reply.max_error = recorded.max_error;
  reply.resources = recorded.resources;
  reply.compile_ms = recorded.compile_ms;
  reply.gpu_ms = recorded.gpu_ms;
  if (recorded.timing && request.time) {
    Source source(*recorded.timing, entry->next_sample);
    // Throttled samples were already repeated when the recording was made.
    ThrottleFilter no_throttling(0);
    reply.timing = take_samples(source, request.sampling, request.best_ms, no_throttling);
    if (!reply.timing) {
      reply.status = Status::pruned;
      reply.reason = "the recording has no more samples of it";
      reply.performed = false;
      return reply;
    }
    reply.timing->mode = request.mode;
    if (request.time_steps) reply.step_times = step_times(entry->recorded->metrics);
  }
  return reply;
}

ProfileReply ReplayBackend::answer(const Profile& request) {
  ProfileReply reply;
  reply.reason = "not in the recording";
  const Entry* entry = find(request.run);
  if (entry == nullptr || request.run.mode != m_tape->recording.mode) return reply;
  for (const Metric& metric : entry->recorded->metrics) {
    const auto& asked = request.metrics;
    if (std::find(asked.begin(), asked.end(), metric.name) != asked.end()) {
      reply.metrics.push_back(metric);
    }
  }
  return reply;
}

MeasureEnergyReply ReplayBackend::answer(const MeasureEnergy& request) {
  std::this_thread::sleep_for(m_delay);
  MeasureEnergyReply reply;
  const Entry* entry = find(request.run);
  if (entry != nullptr && request.run.mode == m_tape->recording.mode) {
    reply.energy = energy_use(entry->recorded->metrics);
  }
  if (!reply.energy) reply.reason = "not in the recording";
  return reply;
}

SampleLinesReply ReplayBackend::answer(const SampleLines& request) {
  std::this_thread::sleep_for(m_delay);
  SampleLinesReply reply;
  const Entry* entry = find(request.run);
  if (entry != nullptr && request.run.mode == m_tape->recording.mode) {
    reply.profile = entry->recorded->lines;
  }
  if (!reply.profile) reply.reason = "not in the recording";
  return reply;
}

}  // namespace gtune
