#pragma once

#include <vector>

#include "tune/environment.hpp"

// What the devices of a run, all of one model, measured of a problem. Each measurement is stored
// under the device that made it; a run takes them all for its own.
namespace gtune {

/// One key for each of the workers' devices, `first` before the others.
[[nodiscard]] std::vector<MeasurementKey> shared_keys(const WorkerPool& workers,
                                                      const MeasurementKey& first);

/// The latest of each configuration and label on any of the devices, in the order in which they
/// were made.
[[nodiscard]] std::vector<StoredMeasurement> load_shared(const Database& database,
                                                         const std::vector<MeasurementKey>& keys,
                                                         Phase phase);

/// An equal run that ended, the fastest of the first device that has one.
[[nodiscard]] std::optional<RunId> find_ended(const Environment& environment,
                                              const std::vector<MeasurementKey>& keys,
                                              const std::string& space_signature);

}  // namespace gtune
