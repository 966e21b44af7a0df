// What gtune baseline prints and writes, for every verdict.
#include "gate/gate_report.hpp"

#include "golden/golden.hpp"

namespace gtune::test {
namespace {

CheckedProblem checked_problem(GateVerdict verdict, std::int64_t m, double change) {
  CheckedProblem made;
  made.reference.kernel = "matmul";
  made.reference.problem = {{"M", m}, {"N", m}};
  made.reference.config = {{"BM", 128}, {"BN", 64}};
  made.sizes = "M=" + std::to_string(m);
  made.verdict = verdict;
  made.change = TimeChange{change, change - 0.003, change + 0.004};
  made.before_ms = 2.5;
  made.now_ms = 2.5 * (1 + change);
  made.rounds = 6;
  made.seconds = 7.25;
  made.notes = {"the driver was 580.1, is 590.2"};
  return made;
}

GateResult every_verdict() {
  GateResult result;
  result.file = "gate.json";
  result.device = "NVIDIA H200";
  result.problems = {checked_problem(GateVerdict::same, 512, 0.001),
                     checked_problem(GateVerdict::faster, 1024, -0.02),
                     checked_problem(GateVerdict::slower, 2048, 0.0153),
                     checked_problem(GateVerdict::unsure, 4096, 0.002)};
  result.problems[3].rounds = 24;
  result.problems[3].reason = "not settled after 24 rounds";
  CheckedProblem failed;
  failed.reference.kernel = "own|kernel <x> & \"y\"";
  failed.reference.spec = "kernels/own.toml";
  failed.reference.problem = {{"n", 7}};
  failed.sizes = "n=7, warm L2 cache";
  failed.reference.mode.order = LaunchOrder::warm;
  failed.verdict = GateVerdict::failed;
  failed.reason = "wrong_result: y[3] is 1 | <nan> instead of 2";
  result.problems.push_back(failed);
  return result;
}

TEST(Golden, AGateWithEveryVerdict) {
  const GateResult result = every_verdict();
  expect_golden("gate", gate_report(result));
  expect_golden("gate.md", gate_markdown(result));
  expect_golden("gate.xml", gate_junit(result));
}

TEST(Golden, AGateAgainstAnEarlierSource) {
  GateResult result = every_verdict();
  result.problems.resize(1);
  result.problems.front().notes.clear();
  result.against = "commit 0123456789ab (main)";
  result.replayed = true;
  result.terms.threshold = 0.025;
  expect_golden("gate_against", gate_report(result));
}

TEST(Golden, ReferenceTimesThatWereSaved) {
  ReferenceTimes times;
  times.device = {"NVIDIA H200", 90, 132, 143156, false};
  ReferenceTime entry = every_verdict().problems.front().reference;
  entry.rounds_ms = {2.5, 2.51, 2.52, 2.505};
  entry.source_hash = "0123";
  entry.spec_hash = "4567";
  entry.gpu_uuid = "GPU-0";
  entry.toolchain = {"580.1", "13.0", "13.1", "", "0.1.0"};
  entry.created = "2026-01-01T00:00:00Z";
  times.put(entry);
  expect_golden("reference_times_file.json", reference_times_text(times));
  expect_golden("reference_times",
                saved_report("gate.json", "NVIDIA H200", {{entry, "M=512", "BM=128,BN=64"}}));
}

}  // namespace
}  // namespace gtune::test
