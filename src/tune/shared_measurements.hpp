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

/// A finished equal run: the fastest one of the first device that has any.
[[nodiscard]] std::optional<RunId> find_ended(const Environment& environment,
                                              const std::vector<MeasurementKey>& keys,
                                              const std::string& space_signature);

}  // namespace gtune
