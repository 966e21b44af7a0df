#include "explain/effects_report.hpp"
#include "explain/explain_report.hpp"
#include "explain/forecasts_report.hpp"
#include "explain/lines_report.hpp"
#include "golden/golden.hpp"
#include "golden/values.hpp"
#include "support/some_lines.hpp"

namespace gtune::test {
namespace {

Subject some_subject(const std::string& name, const Config& config, double ms) {
  Subject subject;
  subject.name = name;
  subject.device = made_up_gpu();
  subject.measured = timed(1, config, ms).measurement;
  subject.facts = find_static_facts(matmul(), square(4096), subject.device, subject.measured);
  return subject;
}

std::vector<Metric> some_metrics(double factor) {
  return {{"duration", 2.54e6 * factor, "nanosecond", ""},
          {"dram_throughput", 91.3, "percent", ""},
          {"dram_read_bytes", 3.4567e9 * factor, "byte", ""},
          {"dram_read_throughput", 3.2e12, "byte/second", ""},
          {"gld_transactions", 9.01e7 * factor, "sector", ""},
          {"bank_conflicts", 0, "", ""},
          {"fma_pipe_utilization", 42.25, "percent", ""},
          {"ipc", 1.875, "inst/cycle", ""},
          {"achieved_occupancy", 12.4, "percent", ""},
          {"smsp__cycles_active.avg", 4.5e6, "cycle", ""},
          {"l2_hit_rate", std::nullopt, "percent", "not counted on this chip"}};
}

Finding some_finding() {
  Finding finding;
  finding.rule = "dram_bound";
  finding.summary = "bound by device memory, at 91 % of its peak";
  finding.evidence = {{"dram_throughput", 91.3, "percent"}, {"dram_read_bytes", 3.4567e9, "byte"}};
  finding.cost = 0.34;
  finding.bound = "the work's bytes at the measured bandwidth";
  finding.advice = "larger tiles";
  finding.moves = {{"TILE", 64, 128, "blocks 4096 -> 1024", 2.4}, {"STAGES", 2, 3, "more", {}}};
  finding.record = {"dram_bound", 40, 39, 30, 0.34, 0.12, 20, 5, -0.03};
  return finding;
}

Explanation some_explanation() {
  Explanation each;
  each.answer.asked = square(4096);
  each.answer.row = best_row(square(4096), config_of(128, 2), 2.54);
  each.subject = some_subject("best", config_of(128, 2), 2.54);
  each.subject.metrics = some_metrics(1);
  each.findings = {some_finding()};
  each.tuned_by = "gtune matmul --M 4096";
  return each;
}

TEST(Golden, AnExplanation) {
  expect_golden("explain", explain_report(matmul(), {some_explanation()}));
}

/// Two parameters reduced a cause; none did; no change was measured.
TEST(Golden, AnExplanationWithMeasuredChanges) {
  Explanation each = some_explanation();
  each.findings.clear();
  for (const std::size_t compared : {5U, 7U, 0U}) {
    Finding finding;
    finding.rule = "bank_conflicts";
    finding.summary = "bank conflicts in shared memory";
    finding.bound = "none of them cost time";
    finding.advice = "pad the rows";
    finding.changes = MeasuredChanges{compared, {}};
    each.findings.push_back(std::move(finding));
  }
  each.findings.front().changes->helpful = {{"TILE", 128, 64, 900, 27, -0.123, 1, true},
                                            {"STAGES", 2, 3, 900, 450, 0.01, 4, false}};
  expect_golden("explain_changes", explain_report(matmul(), {each}));
}

TEST(Golden, AnExplanationBesideAnother) {
  Explanation each = some_explanation();
  each.answer.tier = Tier::expected;
  each.answer.bundled = true;
  each.answer.asked = square(4001);
  each.versus = some_subject("STAGES=1", config_of(32, 1), 44.7);
  each.versus->metrics = some_metrics(12);
  each.versus->measured.resources.reset();
  expect_golden("explain_versus", explain_report(matmul(), {each}));
}

TEST(Golden, AnExplanationWithoutMetrics) {
  Explanation each = some_explanation();
  each.subject.metrics.clear();
  each.findings.clear();
  expect_golden("explain_static", explain_report(matmul(), {each}));
}

const char* const some_source = R"(// A kernel, shortened.
__global__ void toy(int n, const float* x, float* y) {
  const int start = blockIdx.x * BLOCK + threadIdx.x;
  for (int i = 0; i < UNROLL; ++i) {
	if (start < n) y[start + i * n] = 2.0f * x[start + i * n] + a_long_name * another_long_name;
  }
}
// one

// two
)";

TEST(Golden, SourceLines) {
  SourceTexts texts;
  texts.add("toy.cu", some_source);
  ExplainedLines each;
  each.answer.row = best_row(square(4096), config_of(128, 2), 2.54);
  each.name = "best";
  each.measured = timed(1, config_of(128, 2), 2.54).measurement;
  each.profile = some_lines();
  each.stalls = {{"long_scoreboard",
                  0.57,
                  "loads from global memory",
                  "more loads under way",
                  {{"toy.cu", 5, 0.5}},
                  {{"toy.cu", 4, 0.01}},
                  {{"STAGES", 2, 3, 0.57, 0.31, -0.042, 1, true},
                   {"TILE", 128, 64, 0.55, 0.5, 0.03, 2, false}}},
                 {"a_new_reason", 0.12, "", "", {}, {}, {}}};
  ExplainedLines other = each;
  other.answer.bundled = true;
  other.name = "naive";
  other.measured.config = {};
  other.stalls.clear();
  for (LineSamples& line : other.profile.lines) {
    line.opcodes.clear();
    for (InstructionSamples& instruction : line.hottest) instruction.opcode.clear();
  }
  expect_golden("lines", lines_report(matmul(), {each, other}, texts));
}

TEST(Golden, WhatFindingsPromised) {
  ProblemForecasts own{made_up_gpu(), square(4096), "", 9, {}};
  own.checked.bounds = {{"spills", config_of(128, 2), config_of(64, 2), 0.3, 0.2},
                        {"spills", config_of(128, 3), config_of(64, 3), 0.3, 0.35},
                        {"dram_bound", config_of(32, 2), config_of(64, 2), 0.5, -0.1}};
  own.checked.steps = {{"spills", config_of(128, 2), config_of(64, 2), 0.2}};
  const ProblemForecasts bundled{made_up_gpu(), square(512), "from elsewhere", 2, {}};
  expect_golden("forecasts", forecasts_report(matmul(), {own, bundled}));
}

TEST(Golden, WhatEachParameterContributes) {
  ProblemEffects one;
  one.device = "Made-up GPU";
  one.problem = square(4096);
  one.configurations = 9;
  one.best = {made_up_gpu(), square(4096), config_of(128, 2), 2.54, {}, {}, {}, {}, {}};
  one.parameters = {{"TILE", {{128, 0, 1}, {64, 0.071, 1}, {32, 1.25, 1}}},
                    {"STAGES", {{2, 0, 1}, {3, 0.0123, 1}}}};
  one.interactions = {{"TILE", 64, "STAGES", 3, 0.5, 0.071}};
  ProblemEffects other = one;
  other.problem = square(512, 1);
  other.parameters = {{"TILE", {{64, 0, 1}, {128, 0.02, 1}}}};
  other.interactions.clear();
  expect_golden("effects", effects_report(matmul(), {one, other}));
}

}  // namespace
}  // namespace gtune::test
