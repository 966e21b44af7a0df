#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tune/restarting_worker.hpp"
#include "worker/backend.hpp"

namespace gtune::test {

/// A device in the test's own process, whose worker reports times by the test's rule. It counts as
/// a recording: nothing is compiled, and time is what it reports.
class FakeDevice : public WorkerBackend {
 public:
  /// The time in ms of a configuration, for each measurement of it.
  using Times = std::function<double(const Measure&)>;
  /// Replaces the usual reply. May throw WorkerLost, or UserError like a worker's answer.
  using Instead = std::function<std::optional<MeasureReply>(const Measure&)>;

  FakeDevice(const std::string& uuid, Times times);

  HelloReply answer(const Hello& request) override;
  PrepareReply answer(const Prepare& request) override;
  OpenProblemReply answer(const OpenProblem& request) override;
  MeasureReply answer(const Measure& request) override;
  ProfileReply answer(const Profile& request) override;
  MeasureEnergyReply answer(const MeasureEnergy& request) override;
  SampleLinesReply answer(const SampleLines& request) override;

  /// The reply to each measurement of energy. May throw WorkerLost.
  using Energies = std::function<MeasureEnergyReply(const Measure&)>;
  /// The reply to each request for hardware metrics. May throw WorkerLost.
  using Counters = std::function<ProfileReply(const Profile&)>;
  /// The reply to each sampling of source lines. May throw WorkerLost.
  using Lines = std::function<SampleLinesReply(const Measure&)>;

  /// Called before a problem is opened. May throw WorkerLost or UserError.
  using Opening = std::function<void(const OpenProblem&)>;

  /// To be set before the run.
  DeviceFacts facts;
  DeviceLimits limits = {60, 400, 4000, 5500, 30000};  // that it measures
  Energies energies;                                   // empty: the device has no counter
  Counters counters;                                   // empty: nothing can be counted
  Lines lines;                                         // empty: lines cannot be sampled
  Times times;
  Instead instead;
  Opening opening;
  double gpu_ms = 5;                      // that each measurement takes
  std::map<std::int64_t, int> registers;  // by the parameter P; 32 if absent
  std::optional<int> starts_left;         // starts that its worker has left; absent: unlimited

  bool each_sample = false;  // whether each sample has its own time
  /// The requests in order. Valid after the run.
  std::vector<Measure> asked;
  std::vector<OpenProblem> opened;
  int limits_measured = 0;
  std::vector<Measure> asked_energy;
  std::vector<Measure> asked_lines;
  int starts = 0;
  bool running = false;
  std::atomic<int> starts_refused = 0;
  int measured_since_start = 0;
};

/// The value of a configuration's only parameter.
[[nodiscard]] std::int64_t p_of(const Config& config);

[[nodiscard]] bool is_of_final(const Measure& request);
[[nodiscard]] bool is_awkward_check(const Measure& request);

/// Connects to the device with the command's name.
[[nodiscard]] Connector connect_to(const std::map<std::string, FakeDevice*>& devices);

}  // namespace gtune::test
