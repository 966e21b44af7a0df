#pragma once

#include <vector>

#include "tune/environment.hpp"

// The measurements of a problem by all devices of a run, which are of one model. Each measurement
// is stored under the device that made it; a run uses them all.
namespace gtune {

/// A key for each of the workers' devices, with `first` first.
[[nodiscard]] std::vector<MeasurementKey> shared_keys(const WorkerPool& workers,
                                                      const MeasurementKey& first);

/// The latest measurement of each configuration and label on any of the devices, oldest first.
[[nodiscard]] std::vector<StoredMeasurement> load_shared(const Database& database,
                                                         const std::vector<MeasurementKey>& keys,
                                                         Phase phase);

/// What a run can reuse of these devices' measurements of the problem: those of the database, and
/// those of --also of other configurations and labels. The latter have the id 0.
[[nodiscard]] std::vector<StoredMeasurement> load_reusable(const Environment& environment,
                                                           const std::vector<MeasurementKey>& keys,
                                                           const Problem& problem, Phase phase);

/// Configurations that any run saw wrong, in the database and in those of --also.
[[nodiscard]] std::vector<Config> load_all_wrong(const Environment& environment,
                                                 const std::vector<MeasurementKey>& keys,
                                                 const Problem& problem);

/// A run that ended, and where it is stored.
struct EndedRun {
  RunId id{};
  const Database* database = nullptr;
  std::vector<MeasurementKey> keys;  // in that database
};

/// An equal run that ended: the fastest one of the first device that has any, in the database, else
/// in those of --also.
[[nodiscard]] std::optional<EndedRun> find_ended(const Environment& environment,
                                                 const std::vector<MeasurementKey>& keys,
                                                 const Problem& problem,
                                                 const std::string& space_signature);

}  // namespace gtune
