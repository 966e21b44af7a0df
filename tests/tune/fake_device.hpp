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

/// A device in the test's own process, with a worker that tells its kernels' times by the test's
/// rule. It counts as a recording, so that nothing is compiled and time is what it reports.
class FakeDevice : public WorkerBackend {
 public:
  /// The time of a configuration in ms, in whatever is measured of it.
  using Times = std::function<double(const Measure&)>;
  /// In place of the usual reply; may throw WorkerLost, or UserError as a worker's answer.
  using Instead = std::function<std::optional<MeasureReply>(const Measure&)>;

  FakeDevice(const std::string& uuid, Times times);

  HelloReply answer(const Hello& request) override;
  PrepareReply answer(const Prepare& request) override;
  OpenProblemReply answer(const OpenProblem& request) override;
  MeasureReply answer(const Measure& request) override;
  ProfileReply answer(const Profile& request) override;

  /// What has to be set before the run.
  DeviceFacts facts;
  Times times;
  Instead instead;
  double gpu_ms = 5;                      // that each measurement takes
  std::map<std::int64_t, int> registers;  // by the parameter P; 32 where there are none
  std::optional<int> starts_left;         // of its worker; absent: as many as are asked for

  bool each_sample = false;  // has a time of its own
  /// What was asked of it, in order. To be read when the run is over.
  std::vector<Measure> asked;
  std::vector<OpenProblem> opened;
  int starts = 0;
  std::atomic<int> starts_refused = 0;
  int measured_since_start = 0;
};

/// A configuration's only parameter.
[[nodiscard]] std::int64_t p_of(const Config& config);

[[nodiscard]] bool is_of_final(const Measure& request);
[[nodiscard]] bool is_awkward_check(const Measure& request);

/// A connection to the device of the command's name.
[[nodiscard]] Connector connect_to(const std::map<std::string, FakeDevice*>& devices);

}  // namespace gtune::test
