#include "report/run_report.hpp"

#include "golden/golden.hpp"
#include "golden/values.hpp"
#include "report/interrupted_report.hpp"

namespace gtune::test {
namespace {

RunReport some_run() {
  RunReport report;
  report.device = made_up_gpu();
  report.toolchain = made_up_toolchain();
  report.problem = square(4096);
  report.flops = 2.0 * 4096 * 4096 * 4096;
  report.bytes = 12.0 * 4096 * 4096;
  report.result.winner = timed(1, config_of(128, 2), 2.53);
  report.result.verified = true;
  report.result.finished = "2026-01-02T03:05:00.000Z";
  report.result.summary = {90, 10, {{Status::ok, 80}, {Status::launch_error, 10}}, 12.5};
  report.result.ties = {timed(2, config_of(128, 1), 2.531)};
  report.finalists = {report.result.winner, report.result.ties.front(),
                      timed(3, config_of(64, 3), 2.6)};
  StoredMeasurement naive = timed(4, {}, 44.6646);
  naive.measurement.label = "naive";
  report.baselines = {naive, failed(5, "shared", Status::timeout, "no answer within 30 s")};
  report.metrics[MeasurementId{1}] = {{"dram_throughput", 21.7, "percent", ""},
                                      {"gld_efficiency", 99.5, "percent", ""},
                                      {"ipc", std::nullopt, "", "not counted on this chip"}};
  report.failures = {{Status::launch_error, "too many resources", 9},
                     {Status::launch_error, "shared memory 99 kB", 1}};
  report.space_size = 120;
  report.seed = 7;
  report.strategy = "guided";
  report.priors = {{"earlier_runs", 3}, {"bundled_results", 4}};
  report.budget = "60s";
  report.database = "/home/you/gtune.db";
  report.run_again = "gtune matmul --M 4096 --device 0 --config TILE=128,STAGES=2";
  return report;
}

TEST(Golden, ARunReportOnATerminalDraws) {
  RunReport report = some_run();
  report.draws = true;
  for (int i = 0; i < 80; ++i) report.best_so_far.push_back(i < 20 ? 20.0 : i < 50 ? 4.0 : 2.53);
  expect_golden("run_drawn", run_report(matmul(), report));
}

TEST(Golden, AnInterruptedRunSaysTheBestSoFar) {
  InterruptedRun run;
  run.problem = square(4096);
  run.space_size = 120;
  expect_golden("run_interrupted_early", interrupted_report(matmul(), run));
  run.tried = 12;
  run.best_ms = 2.53;
  run.best = config_of(128, 2);
  run.objective = Objective::energy;
  expect_golden("run_interrupted", interrupted_report(matmul(), run));
}

TEST(Golden, ARunReport) { expect_golden("run", run_report(matmul(), some_run())); }

/// A run in which configuration 2 takes the least energy, and 3 is beaten by both others.
RunReport run_with_energies() {
  RunReport report = some_run();
  report.metrics[MeasurementId{1}] = energy_metrics({1020.5, 401, 2000, 0.5, 5});
  report.metrics[MeasurementId{2}] = energy_metrics({880.25, 348, 2000, 0.5, 5});
  report.metrics[MeasurementId{3}] = energy_metrics({890, 350, 2000, 0.5, 5});
  return report;
}

TEST(Golden, ARunReportWithEnergiesSaysWhatTheLeastEnergyTakes) {
  expect_golden("run_with_energies", run_report(matmul(), run_with_energies()));
}

TEST(Golden, ARunReportByEnergySaysWhatTheFastestWouldTake) {
  RunReport report = run_with_energies();
  report.objective = Objective::energy;
  report.result.winner = report.finalists[1];
  report.result.ties = {report.finalists[2]};
  expect_golden("run_by_energy", run_report(matmul(), report));
}

TEST(RunReport, AFinalistWithALowerMedianThanTheWinnerTiesOrWasEliminated) {
  RunReport report = some_run();
  report.finalists.push_back(timed(6, config_of(32, 1), 2.52));
  EXPECT_NE(text_of(run_report(matmul(), report)).find("eliminated in an earlier round"),
            std::string::npos);
  report.result.ties.push_back(report.finalists.back());
  EXPECT_EQ(text_of(run_report(matmul(), report)).find("eliminated"), std::string::npos);
}

TEST(Golden, ARunReportOfStepsSaysTheTimeOfEach) {
  KernelSpec spec = matmul();
  spec.steps.push_back(spec.steps.front());
  spec.steps.front().name = "multiply";
  spec.steps.back().name = "add";
  RunReport report = some_run();
  report.metrics[MeasurementId{1}] = {{"step_time:add", 0.51, "ms", ""},
                                      {"step_time:multiply", 2.04, "ms", ""}};
  expect_golden("run_steps", run_report(spec, report));
}

TEST(Golden, ARunReportOfSeveralReplayedDevices) {
  RunReport report = some_run();
  report.problem = {{"M", 4096}, {"N", 100}, {"K", 4096}, {"T", 1}};
  report.device.replayed = true;
  report.devices = {{"device 0", "GPU-one", 50, false}, {"ssh there", "GPU-two", 40, true}};
  report.workers_lost = 2;
  report.gpu_busy = 0.976;
  report.result.verified = false;
  report.result.winner = timed(1, config_of(128, 2), 0.01234);
  report.from_store = true;
  report.flops = std::nullopt;
  report.failures.clear();
  report.baselines.clear();
  expect_golden("run_several_devices", run_report(matmul(), report));
}

}  // namespace
}  // namespace gtune::test
