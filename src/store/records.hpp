#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "model/energy_use.hpp"
#include "model/kernel_identity.hpp"
#include "model/line_profile.hpp"
#include "model/measurement.hpp"
#include "model/objective.hpp"
#include "store/ids.hpp"

// Records that go into the database and come out of it. Times are ISO-8601 in UTC:
// "2025-01-31T09:30:00.123Z".
namespace gtune {

/// What must be equal for one measurement to stand in for another.
struct MeasurementKey {
  DeviceId device{};
  ToolchainId toolchain{};
  KernelId kernel{};
  ProblemId problem{};
  TimingMode mode = {};  // as requested: also known if a launch gave no samples
};

/// What is known about a run when it starts.
struct RunInfo {
  MeasurementKey key;
  std::optional<double> flops;  // work of one launch, for gflops and gbps; absent if unknown
  std::optional<double> bytes;
  Objective objective = Objective::time;  // by which its winner was chosen
  std::string strategy;
  std::string budget;  // as given: "60s", "200", "" for none
  std::uint64_t seed = 0;
  std::string command_line;
  std::string space_signature;  // equal for two runs that may return each other's result
  bool whole_space = true;      // false if --param or --config narrowed it
};

/// A run in numbers.
struct RunSummary {
  std::int64_t tried = 0;
  std::int64_t reused = 0;  // of `tried`: from an earlier run
  std::map<Status, std::int64_t> by_status;
  double elapsed_s = 0;
  /// The share by which the next configuration was expected to be faster, if that ended the search.
  std::optional<double> ended_at_gain = {};
};

/// What a run found.
struct RunResult {
  std::optional<MeasurementId> winner;  // absent if nothing was valid and correct
  std::vector<MeasurementId> ties;      // as good within the noise, in order
  bool verified = false;                // the winner also passed on awkward sizes
  RunSummary summary;
};

struct StoredMeasurement {
  MeasurementId id{};
  Measurement measurement;  // its configuration in the order of the spec
  std::string created;
  /// Set if the stored row is impossible; `measurement` then reads as crashed, without a timing.
  std::optional<std::string> why_impossible;
};

/// The source lines of a measurement.
struct StoredLines {
  std::optional<LineProfile> profile;
  std::string reason;  // why there is none
};

struct StoredResult {
  RunId run{};
  std::string finished;
  StoredMeasurement winner;
  std::vector<StoredMeasurement> ties;
  bool verified = false;
  RunSummary summary;
};

/// A problem that has runs, whether or not they found a winner.
struct TunedProblem {
  ProblemId id{};
  Problem sizes;
};

/// The best configuration on a device and problem.
struct Winner {
  DeviceId device_id{};
  DeviceFacts device;
  Problem problem;
  Config config;
  double median_ms = 0;
  ProblemId problem_id{};
  TimingMode mode = {};
  MeasurementId measurement_id{};
  bool complete = false;  // the winner of a run that ended; else the fastest of one that did not
  bool verified = false;  // also right on awkward sizes
};

/// Narrows `Database::query_best`; absent means any.
struct BestFilter {
  std::optional<Problem> problem;
  std::optional<std::string> device_name;  // case-insensitive
};

/// The speed of one configuration on a device and problem.
struct ConfigSpeed {
  DeviceFacts device;
  Problem problem;
  Config config;
  double median_ms = 0;
  std::optional<double> gflops;         // 1e9 floating-point operations per second
  std::optional<double> gbps;           // 1e9 bytes per second
  std::optional<double> registers;      // per thread
  std::optional<double> spilled_bytes;  // per thread, stores and loads
  TimingMode mode = {};
  std::int64_t blocks_per_sm = 0;  // resident at once; 0: unknown
  MeasurementId measurement_id{};
};

/// The energy of one configuration on a device and problem.
struct ConfigEnergy {
  DeviceFacts device;
  Problem problem;
  Config config;
  double median_ms = 0;
  EnergyUse use;
  TimingMode mode = {};  // of the time; energy is always that of launches back to back
  MeasurementId measurement_id{};
};

/// A measurement of the search or the final, without its samples.
struct SearchStep {
  RunId run{};
  std::string created;
  Phase phase = Phase::search;
  Status status = Status::ok;
  std::string reason;
  std::optional<double> median_ms;  // absent if it may not answer: see right_measurement
  std::optional<double> ci_low_ms;
  std::optional<double> ci_high_ms;
  std::optional<double> gpu_ms;  // time the worker spent on it
  std::optional<double> registers;
  std::optional<double> spilled_bytes;
  std::optional<double> shared_bytes;
  bool is_best = false;         // the measurement beside which the others were asked for
  std::int64_t config_row = 0;  // equal for equal configurations
  Config config;
};

/// A run on a device and problem, of any source and spec.
struct PastRun {
  RunId id{};
  MeasurementKey key;
  std::string started;
  std::string finished;  // empty if it has not ended
  std::string strategy;
  std::string budget;
  std::string command_line;
  std::uint64_t seed = 0;
  std::optional<double> flops;  // of one launch
  std::optional<double> bytes;
  bool same_source = false;  // as of the measurement that was asked about
  bool whole_space = false;
  std::string source_hash;
  std::string spec_hash;
  Toolchain toolchain;
  std::optional<MeasurementId> winner;
  std::optional<double> best_ms;
};

/// The best known configuration for one device and problem, with its measurement.
struct BestRow {
  DeviceFacts device;
  Toolchain toolchain;
  Problem problem;
  StoredMeasurement best;
  TimingMode mode = {};
  bool complete = false;  // the winner of a run that ended; else the fastest of one that did not
  bool verified = false;
  std::optional<double> gflops;  // 1e9 floating-point operations per second
  std::optional<double> gbps;    // 1e9 bytes per second
};

}  // namespace gtune
