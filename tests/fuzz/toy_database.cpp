#include "toy_database.hpp"

#include "support/some_lines.hpp"
#include "toy.hpp"

namespace gtune::fuzz {
namespace {

RunInfo run_info(const MeasurementKey& key) {
  RunInfo info;
  info.key = key;
  info.flops = 2e9;
  info.bytes = 4e6;
  info.strategy = "guided";
  info.budget = "6";
  info.command_line = "gtune tune toy.toml";
  info.space_signature = "all";
  return info;
}

}  // namespace

void fill_with_toy_runs(Database& database) {
  const Recording recording = few_toy_measurements();
  const DeviceId device = database.upsert_device(recording.device);
  const ToolchainId toolchain = database.upsert_toolchain(recording.toolchain);
  database.use_toolchain(device, toolchain);
  const KernelId kernel = database.upsert_kernel(recording.kernel);
  const MeasurementKey key{device,
                           toolchain,
                           kernel,
                           database.upsert_problem(recording.kernel.name, recording.problem),
                           {}};
  const RunId ended = database.begin_run(run_info(key));
  RunResult result;
  for (const RecordedMeasurement& recorded : recording.measurements) {
    const MeasurementId id = database.insert_measurement(ended, key, recorded.measurement);
    database.insert_metrics(id, recorded.metrics);
    database.insert_line_profile(id, {test::some_lines(), ""});
    if (!result.winner) result.winner = id;
  }
  Measurement final_one = recording.measurements[1].measurement;
  final_one.phase = Phase::final;
  result.ties = {database.insert_measurement(ended, key, final_one)};
  result.verified = true;
  result.summary.by_status[Status::ok] = 5;
  database.finish_run(ended, result);

  MeasurementKey other = key;
  other.problem = database.upsert_problem(recording.kernel.name, {{"n", 2048}});
  const RunId interrupted = database.begin_run(run_info(other));
  database.insert_measurement(interrupted, other, recording.measurements[2].measurement);
  database.refresh_views(recording.kernel);
}

}  // namespace gtune::fuzz
