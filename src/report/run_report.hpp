#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/checked_json.hpp"
#include "model/device_facts.hpp"
#include "model/kernel_identity.hpp"
#include "model/metric.hpp"
#include "report/document.hpp"
#include "store/records.hpp"

namespace gtune {

struct KernelSpec;

/// A reason why configurations failed, and how many it affected.
struct FailureGroup {
  Status status = Status::ok;
  std::string reason;
  std::int64_t count = 0;
};

/// A device that took part in a run on several.
struct DeviceShare {
  std::string worker;  // "device 0", or the command that reached it
  std::string uuid;
  std::int64_t measured = 0;  // configurations in the search
  bool dropped_out = false;
};

/// Everything reported about one problem's run after it has ended.
struct RunReport {
  DeviceFacts device;
  Toolchain toolchain;
  Problem problem;
  std::optional<double> flops;
  std::optional<double> bytes;
  StoredResult result;
  std::vector<StoredMeasurement> finalists;  // measured in turn; includes the winner
  std::vector<StoredMeasurement> baselines;
  std::map<MeasurementId, std::vector<Metric>> metrics;  // of the finalists and the baselines
  std::vector<FailureGroup> failures;
  std::optional<std::uint64_t> space_size;  // absent if only the database is known
  Objective objective = Objective::time;
  std::uint64_t seed = 0;
  std::string strategy;
  std::string budget;
  bool from_store = false;
  int workers_lost = 0;
  std::map<std::string, int> priors;  // winners that were measured first, by where they come from
  std::optional<double> gpu_busy;     // share of the search's time; absent for one recording
  std::vector<DeviceShare> devices;   // empty if there was one device
  std::filesystem::path database;
  std::string run_again;  // the command that measures only the winner
  bool draws = false;     // in text, with block characters
  /// ms, after each configuration of the search from the first correct one on; empty for a stored
  /// result.
  std::vector<double> best_so_far;
};

/// Groups failures by reason, the most frequent first. Reasons that differ only in numbers are one
/// group.
[[nodiscard]] std::vector<FailureGroup> group_failures(
    const std::vector<StoredMeasurement>& measurements);

/// If two runs replay one recording with one seed, only "finished", "database" and "run_again"
/// differ between their reports.
[[nodiscard]] Document run_report(const KernelSpec& spec, const RunReport& report);

}  // namespace gtune
