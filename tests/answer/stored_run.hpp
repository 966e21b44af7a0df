#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/statistics.hpp"
#include "store/database.hpp"

namespace gtune::test {

inline DeviceFacts device_of(const std::string& name, const std::string& uuid) {
  DeviceFacts facts;
  facts.name = name;
  facts.uuid = uuid;
  return facts;
}

/// Stores a run that measured these pairs of a value of A and a time in ms; the first is the
/// winner.
inline Winner store_run(Database& db, const KernelIdentity& kernel, const DeviceFacts& on,
                        const Problem& problem,
                        const std::vector<std::pair<std::int64_t, double>>& times,
                        const TimingMode& mode = {}) {
  RunInfo info;
  info.key = {db.upsert_device(on), db.upsert_toolchain({"580.1", "13.0", "13.0", "", "0.1.0"}),
              db.upsert_kernel(kernel), db.upsert_problem(kernel.name, problem), mode};
  const RunId run = db.begin_run(info);
  RunResult result;
  for (const auto& [a, ms] : times) {
    Measurement measurement;
    measurement.config = {{"A", a}};
    measurement.timing = summarise({ms, ms});
    const MeasurementId id = db.insert_measurement(run, info.key, measurement);
    if (!result.winner) result.winner = id;
  }
  db.finish_run(run, result);
  Winner winner;
  winner.device_id = info.key.device;
  winner.device = on;
  winner.problem = problem;
  winner.mode = mode;
  winner.config = {{"A", times.front().first}};
  winner.median_ms = times.front().second;
  return winner;
}

}  // namespace gtune::test
