#pragma once

#include <string>
#include <vector>

#include "explain/stall_findings.hpp"
#include "explain/subject.hpp"
#include "store/database.hpp"

namespace gtune {

struct KernelSpec;

/// A stored measurement made under the conditions of `best`, with its facts and metrics.
[[nodiscard]] Subject stored_subject(const Database& database, const KernelSpec& spec,
                                     const BestRow& best, std::string name,
                                     const StoredMeasurement& stored);

/// The sampled source lines of every configuration that was measured under the conditions of
/// `base`.
[[nodiscard]] std::vector<SampledConfig> sampled_configs(const Database& database,
                                                         const KernelSpec& spec,
                                                         MeasurementId base);

/// The configurations and baselines with metrics that were measured under the conditions of the
/// best.
[[nodiscard]] std::vector<Subject> counted_subjects(const Database& database,
                                                    const KernelSpec& spec, const BestRow& best);

/// The times that were measured on exactly the device and problem of the best.
[[nodiscard]] std::vector<ConfigSpeed> speeds_beside(const Database& database,
                                                     const KernelIdentity& identity,
                                                     const BestRow& best);

}  // namespace gtune
