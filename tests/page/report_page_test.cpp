#include "page/report_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "golden/values.hpp"
#include "model/checked_json.hpp"
#include "page/page_data.hpp"
#include "system/hash.hpp"

namespace gtune::test {
namespace {

const std::string k_hostile = "</script><img src=x onerror=\"alert(1)\">'&\xE2\x80\xA8";

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// The text between the first `from` and the next `to` after it.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

SearchStep step(std::int64_t config, std::int64_t tile, std::optional<double> ms) {
  SearchStep out;
  out.created = "2026-01-02T03:04:05.678Z";
  out.config_row = config;
  out.config = config_of(tile, 2);
  out.median_ms = ms;
  if (!ms) out.status = Status::launch_error;
  return out;
}

ConfigSpeed speed(std::int64_t tile, std::int64_t stages, double ms) {
  ConfigSpeed out;
  out.device = made_up_gpu();
  out.problem = square(4096);
  out.config = config_of(tile, stages);
  out.median_ms = ms;
  return out;
}

Subject subject(const std::string& name, const Measurement& measured) {
  Subject out;
  out.name = name;
  out.device = made_up_gpu();
  out.measured = measured;
  out.facts = find_static_facts(matmul(), square(4096), out.device, measured);
  return out;
}

/// One problem whose search tried four configurations; the last of them failed for `reason`.
ProblemRecord some_problem(const std::string& device, const std::string& label,
                           const std::string& reason) {
  ProblemRecord record;
  record.best.row = best_row(square(4096), config_of(128, 2), 2.54);
  record.best.row.device.name = device;
  StoredMeasurement baseline = timed(7, {}, 5.08);
  baseline.measurement.phase = Phase::baseline;
  baseline.measurement.label = label;
  record.best.baselines = {baseline};
  record.best.configurations = 3;
  record.steps = {step(1, 32, 5.0), step(2, 64, 2.6), step(3, 128, 2.54),
                  step(4, 256, std::nullopt)};
  record.steps.back().reason = reason;
  record.speeds = {speed(32, 2, 5.0), speed(64, 3, 2.6), speed(128, 2, 2.54)};
  record.subjects = {subject("best", record.best.row.best.measurement),
                     subject(label, baseline.measurement)};
  record.explanation.answer.row = record.best.row;
  record.explanation.subject = record.subjects.front();
  record.run_again = "gtune matmul --M 4096";
  record.measure_again = "gtune matmul --M 4096 --config TILE=128,STAGES=2";
  return record;
}

PageContents some_contents(const std::string& device = "Made-up GPU",
                           const std::string& label = "naive",
                           const std::string& reason = "no such block") {
  const std::shared_ptr<const KernelSpec> spec(&matmul(), [](const KernelSpec*) {});
  const ProblemRecord problem = some_problem(device, label, reason);
  return {{{spec, {problem.best}, {problem}, {}, {}}},
          {{"dram_bytes", "bytes through device memory"}, {"ipc", "instructions per cycle"}},
          {},
          "From the database gtune.db.",
          false};
}

/// Three quarters of the samples at line 2 of `file`.
LineProfile some_lines(const std::string& file) {
  LineProfile profile{1024, 1, 4000, 0, {}};
  profile.lines.push_back(
      {file, 2, "matmul<4>(float*)", {{"long_scoreboard", 3000}}, {{"LDG", 3000}}, 1, {}});
  profile.lines.push_back({file, 3, "matmul<4>(float*)", {{"barrier", 1000}}, {}, 1, {}});
  return profile;
}

TEST(ReportPage, SaysTheMainThingsWithoutItsScript) {
  const std::string page = report_page(some_contents());
  const std::string body = between(page, "<main>", "</main>");
  for (const char* part :
       {"2.5502 ms", "54.32 TFLOP/s", "2.00 x as fast", "TILE=128,STAGES=2", "no such block",
        "<dd>gtune matmul --M 4096</dd>", "gtune matmul --M 4096 --config TILE=128,<wbr>STAGES=2",
        "The search had 95 % of its final speed after 2 of 4 configurations"}) {
    EXPECT_NE(body.find(part), std::string::npos) << part;
  }
}

TEST(ReportPage, BeginsWithTheAnswerInAParagraph) {
  PageContents contents = some_contents();
  BestRow& best = contents.kernels[0].problems[0].best.row;
  best.toolchain.driver = "580.65";
  const std::string page = report_page(contents);
  EXPECT_EQ(between(page, "<p class=\"lead\">", "</p>"),
            "The best takes 2.5502 ms, 89.8 % of the limit of FMA units. Measured on 2026-01-02 "
            "with driver 580.65.");
}

/// Bytes that were counted at device memory, L2 and L1.
void count_bytes(Subject& of, double dram, double l2, double l1) {
  of.metrics = {
      {"dram_bytes", dram, "byte", ""}, {"l2_bytes", l2, "byte", ""}, {"l1_bytes", l1, "byte", ""}};
}

TEST(ReportPage, DrawsTheLimitsThatAreKnown) {
  PageContents contents = some_contents();
  const std::string page = report_page(contents);
  for (const char* part : {">device memory, 4000 GB/s<", ">L2, 5500 GB/s<", ">L1, 30000 GB/s<",
                           ">FMA units, 60.0 TFLOP/s<", ">tensor cores, 400 TFLOP/s<",
                           "Limits: device memory 4000 GB/s, L2 5500 GB/s, L1 30000 GB/s, FMA "
                           "units 60.00 TFLOP/s, tensor cores 400.0 TFLOP/s."}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  DeviceLimits& limits = contents.kernels[0].problems[0].best.row.device.limits;
  limits = {.fma_tflops = 60, .dram_gbps = 4000};
  const std::string old = report_page(contents);
  EXPECT_NE(old.find("Limits: device memory 4000 GB/s, FMA units 60.00 TFLOP/s."),
            std::string::npos);
  EXPECT_EQ(count_of(between(old, "-roofline-chart", "</svg>"), "class=\"limit\""), 4U);
  limits.dram_gbps.reset();
  EXPECT_EQ(report_page(contents).find("-roofline"), std::string::npos);
}

TEST(ReportPage, TheBestHasOneMarkerBesideAnyBaselines) {
  PageContents contents = some_contents();
  ProblemRecord& problem = contents.kernels[0].problems[0];
  const auto group_of_best = [&] {
    const std::string chart = between(report_page(contents), "-roofline-chart", "</figure>");
    const std::string legend = chart.substr(0, chart.find(">best</text>"));
    const std::string sample = legend.substr(legend.rfind("<g class"));
    return sample.substr(0, sample.find('>')) + sample.substr(sample.find('m', 20), 10);
  };
  const std::string with_one = group_of_best();
  EXPECT_NE(with_one.find("line0"), std::string::npos) << with_one;
  StoredMeasurement second = problem.best.baselines[0];
  second.measurement.label = "second";
  problem.subjects.push_back(subject("second", second.measurement));
  EXPECT_EQ(group_of_best(), with_one);
  problem.subjects.resize(1);
  problem.best.row.device.limits.tensor_tflops.reset();
  EXPECT_EQ(group_of_best(), with_one);
}

TEST(ReportPage, WithoutFloatingPointOperationsNothingIsCalledARoofline) {
  PageContents contents = some_contents();
  ProblemRecord& problem = contents.kernels[0].problems[0];
  EXPECT_NE(report_page(contents).find("<dt>roofline</dt>"), std::string::npos);
  for (Subject& each : problem.subjects) each.facts.speed.gflops.reset();
  problem.explanation.subject.facts.intensity.reset();
  const std::string body = between(report_page(contents), "<main>", "</main>");
  EXPECT_EQ(body.find("oofline"), std::string::npos);
  EXPECT_NE(body.find("<dt>speed</dt><dd>89.8 % of the limit of FMA units</dd>"),
            std::string::npos);
}

TEST(ReportPage, OtherConfigurationsAreGreyDots) {
  PageContents contents = some_contents();
  ProblemRecord& problem = contents.kernels[0].problems[0];
  problem.subjects.push_back(subject("finalist 2", timed(8, config_of(64, 3), 2.6).measurement));
  const std::string chart = between(report_page(contents), "-roofline-chart", "</svg>");
  EXPECT_EQ(count_of(chart, "class=\"dot\""), 2U);  // one in the legend
  EXPECT_NE(chart.find(">other configurations<"), std::string::npos);
}

TEST(ReportPage, PutsTheBestAndTheBaselinesAtTheirBytesOfEachCache) {
  PageContents contents = some_contents();
  ProblemRecord& problem = contents.kernels[0].problems[0];
  problem.counted = problem.subjects;
  const double flops = 2.0 * 4096 * 4096 * 4096;
  count_bytes(problem.counted[0], flops / 50, flops / 20, flops / 10);
  count_bytes(problem.counted[1], flops / 40, flops / 8, flops / 2);
  const std::string page = report_page(contents);
  const std::string chart = between(page, "-roofline-chart", "</figure>");
  EXPECT_NE(chart.find("best: 50 FLOP/byte, 20 at L2, 10 at L1, "), std::string::npos) << chart;
  EXPECT_NE(chart.find("naive: 40 FLOP/byte, 8 at L2, 2 at L1, "), std::string::npos);
  EXPECT_NE(chart.find("10 FLOP/byte at L1"), std::string::npos);
  EXPECT_NE(chart.find("points joined by a line are one kernel"), std::string::npos);
  EXPECT_EQ(count_of(between(chart, "", "</svg>"), "class=\"marker\""), 8U);  // two in the legend
  EXPECT_NE(chart.find(">at L2<"), std::string::npos);
  problem.counted[1].metrics.resize(1);  // of an older program
  EXPECT_NE(report_page(contents).find("naive: 40 FLOP/byte, 26.9"), std::string::npos);
}

TEST(ReportPage, MapsTheProblemsOfASweep) {
  PageContents contents = some_contents();
  KernelRecord& kernel = contents.kernels[0];
  kernel.best.push_back(kernel.best[0]);
  kernel.best[1].row.problem = {{"M", 1024}, {"N", 512}, {"K", 1024}, {"T", 0}};
  kernel.best[1].baselines[0].measurement.timing->median_ms = 1;
  const std::string page = report_page(contents);
  EXPECT_NE(page.find("faster than baselines: 1."), std::string::npos);
  EXPECT_NE(page.find("slower than a baseline: 1."), std::string::npos);
}

TEST(ReportPage, SaysTheOutcomeOfASweepInASentenceIfItIsTheSameEverywhere) {
  PageContents contents = some_contents();
  KernelRecord& kernel = contents.kernels[0];
  kernel.best.push_back(kernel.best[0]);
  kernel.best[1].row.problem = {{"M", 1024}, {"N", 512}, {"K", 1024}, {"T", 0}};
  kernel.best[1].baselines[0].measurement.timing->median_ms *= 100;
  const std::string page = report_page(contents);
  EXPECT_EQ(page.find("id=\"kernel1-map\""), std::string::npos);
  EXPECT_NE(page.find("<p>The best is as fast as all baselines or faster on all 2 problems; 20.0 x "
                      "as fast as the fastest of them in the geometric mean.</p>"),
            std::string::npos);
  EXPECT_NE(page.find(">200 x</td>"), std::string::npos);
}

TEST(ReportPage, LeavesFlatParametersOutOfTheChart) {
  PageContents contents = some_contents();
  ProblemRecord& problem = contents.kernels[0].problems[0];
  problem.speeds.push_back(speed(128, 3, 2.55));
  const std::string page = report_page(contents);
  const std::string chart = between(page, "-effects-chart", "</figure>");
  EXPECT_EQ(chart.substr(0, chart.find("</svg>")).find(">STAGES<"), std::string::npos);
  EXPECT_NE(chart.find("Left out, as all their values are within 2 %: STAGES."), std::string::npos);
  problem.speeds = {speed(64, 2, 2.55), speed(128, 2, 2.54)};
  const std::string flat = report_page(contents);
  EXPECT_EQ(flat.find("matters most"), std::string::npos);
  EXPECT_NE(flat.find("<p>No parameter matters alone"), std::string::npos);
}

TEST(ReportPage, SuggestsNoValueWithWhichNothingFasterWasMeasured) {
  PageContents contents = some_contents();
  Explanation& explanation = contents.kernels[0].problems[0].explanation;
  Finding finding;
  finding.summary = "too few blocks";
  finding.advice = "smaller tiles";
  finding.moves = {{"STAGES", 2, 3, "blocks 1 -> 2", 2.56}};
  explanation.findings = {finding};
  EXPECT_NE(report_page(contents).find("too few blocks. Next: smaller tiles."), std::string::npos);
  explanation.findings[0].moves.push_back({"TILE", 128, 64, "blocks 1 -> 4", std::nullopt});
  EXPECT_NE(report_page(contents).find("Next, try TILE 128 -&gt; 64"), std::string::npos);
}

TEST(ReportPage, SearchWithoutItsScriptHasRoundAxes) {
  PageContents contents = some_contents();
  contents.kernels[0].problems[0].steps[0].median_ms = 500;  // beyond the edge of the chart
  const std::string chart = between(report_page(contents), "-search-chart", "</svg>");
  for (const char* part : {">best time so far, ms<", ">0<", ">4<", ">10<"}) {
    EXPECT_NE(chart.find(part), std::string::npos) << part << chart;
  }
  EXPECT_EQ(chart.find(">500<"), std::string::npos);
}

TEST(ReportPage, CountsAConfigurationThatIsMeasuredAgainOnce) {
  PageContents contents = some_contents();
  std::vector<SearchStep>& steps = contents.kernels[0].problems[0].steps;
  steps.push_back(steps[0]);
  steps.push_back(steps[1]);
  const std::string page = report_page(contents);
  EXPECT_NE(page.find("after 2 of 4 configurations"), std::string::npos);
  EXPECT_NE(page.find("The 4 configurations tried"), std::string::npos);
}

TEST(ReportPage, SaysThatASearchIsNotStoredAsAWhole) {
  PageContents contents = some_contents();
  ProblemRecord& problem = contents.kernels[0].problems[0];
  problem.run.emplace();
  problem.run->result.run = problem.steps[0].run;
  problem.run->result.winner = problem.best.row.best;
  problem.run->result.summary.tried = 4;
  EXPECT_NE(report_page(contents).find("The 4 configurations tried"), std::string::npos);
  problem.run->result.summary.tried = 40;
  const std::string page = report_page(contents);
  EXPECT_NE(page.find("The search: 4 configurations, without those that are not stored"),
            std::string::npos);
  EXPECT_NE(page.find("All 4 stored configurations"), std::string::npos);
  EXPECT_EQ(page.find("of its final speed"), std::string::npos);
}

TEST(ReportPage, CountsTheBestOwnMeasurementOfItsConfiguration) {
  PageContents contents = some_contents();
  std::vector<SearchStep>& steps = contents.kernels[0].problems[0].steps;
  steps.push_back(steps[2]);
  steps.push_back(steps[2]);
  const auto counts = [&] { return between(report_page(contents), "\"counts\":", ","); };
  EXPECT_EQ(counts(), "\"BBABAB\"") << "the last";
  steps[4].is_best = true;
  EXPECT_EQ(counts(), "\"BBABBA\"");
}

TEST(ReportPage, SaysWhatTheMetricsMeanThatItShows) {
  PageContents contents = some_contents();
  contents.kernels[0].problems[0].subjects[0].metrics = {{"dram_bytes", 1e9, "byte", ""}};
  const std::string part = between(report_page(contents), "id=\"metrics\"", "</main>");
  for (const char* meaning : {"bytes through device memory", "blocks of the launch"}) {
    EXPECT_NE(part.find(meaning), std::string::npos) << meaning;
  }
  EXPECT_EQ(part.find("instructions per cycle"), std::string::npos);
  contents.kernels[0].problems[0].subjects.resize(1);
  EXPECT_EQ(report_page(contents).find("id=\"metrics\""), std::string::npos);
}

TEST(ReportPage, SaysThatProblemsShareAPointOfTheMap) {
  PageContents contents = some_contents();
  KernelRecord& kernel = contents.kernels[0];
  for (const Problem& problem : {Problem{{"M", 1024}, {"N", 512}, {"K", 1024}, {"T", 0}},
                                 Problem{{"M", 1024}, {"N", 512}, {"K", 1024}, {"T", 1}},
                                 Problem{{"M", 2048}, {"N", 256}, {"K", 1024}, {"T", 0}}}) {
    kernel.best.push_back(kernel.best[0]);
    kernel.best.back().row.problem = problem;
  }
  kernel.best[2].baselines[0].measurement.timing->median_ms = 1;
  kernel.best[3].baselines.clear();
  const std::string page = report_page(contents);
  EXPECT_NE(page.find("The best is slower than a baseline on 1 of 3 problems"), std::string::npos);
  EXPECT_NE(page.find("; no baseline was measured on 1 other problem"), std::string::npos);
  EXPECT_NE(page.find("The 3 problems lie on 2 points"), std::string::npos);
}

TEST(ReportPage, DoesNotPraiseAnExhaustiveSearch) {
  PageContents contents = some_contents();
  PastRun run;
  run.strategy = "exhaustive";
  contents.kernels[0].problems[0].past_runs.push_back(run);
  const std::string page = report_page(contents);
  EXPECT_NE(page.find("An exhaustive search of 4 configurations"), std::string::npos);
  EXPECT_EQ(page.find("of its final speed"), std::string::npos);
}

TEST(ReportPage, TellsDevicesOfOneNameApart) {
  PageContents contents = some_contents();
  KernelRecord& kernel = contents.kernels[0];
  EXPECT_EQ(report_page(contents).find("GPU-2222abcd"), std::string::npos);
  ProblemRecord other = kernel.problems[0];
  other.best.row.device.uuid = "GPU-2222abcd-0000";
  kernel.best.push_back(other.best);
  kernel.problems.push_back(other);
  EXPECT_NE(report_page(contents).find(", GPU-2222abcd<"), std::string::npos);
}

TEST(ReportPage, OfOneConfigurationComparesNothing) {
  PageContents contents = some_contents();
  ProblemRecord& problem = contents.kernels[0].problems[0];
  problem.steps.resize(1);
  problem.speeds.resize(1);
  const std::string page = report_page(contents);
  EXPECT_EQ(page.find("matters most"), std::string::npos);
  EXPECT_EQ(page.find("id=\"kernel1-problem1-search-chart\""), std::string::npos);
  EXPECT_NE(page.find(">1 configuration</h5>"), std::string::npos);
}

TEST(ReportPage, HistoryComparesOnlyRunsOfTheWholeSpace) {
  PageContents contents = some_contents();
  ProblemRecord& problem = contents.kernels[0].problems[0];
  PastRun run;
  run.key.mode = problem.best.row.mode;
  run.started = "2026-01-02T03:04:05.678Z";
  for (const double ms : {4.0, 9.0, 2.0}) {
    run.best_ms = ms;
    run.whole_space = ms != 9.0;
    problem.past_runs.push_back(run);
  }
  const std::string page = report_page(contents);
  EXPECT_NE(page.find("(-50.0 %) in 2 runs of the whole space"), std::string::npos);
  EXPECT_NE(page.find("narrowed space"), std::string::npos);
}

TEST(RecordingWord, IsSafeInAShell) {
  EXPECT_EQ(recording_word("gtune sgemm --M 4096"), "");
  EXPECT_EQ(recording_word("gtune sgemm --device replay:a/b.jsonl --M 1"), "replay:a/b.jsonl");
  EXPECT_EQ(recording_word("gtune sgemm --device=replay:a.jsonl"), "replay:a.jsonl");
  EXPECT_EQ(recording_word("gtune k --device replay:x;rm<a"), "'replay:x;rm<a'");
  for (const char* odd :
       {"replay:$(touch", "replay:`x`", "replay:'a", "replay:a\\", "replay:\x1B[1m"}) {
    EXPECT_EQ(recording_word(std::string("gtune k --device ") + odd), "replay") << odd;
  }
}

TEST(ReportPage, ShowsHostileNamesAsText) {
  PageContents contents = some_contents(k_hostile, k_hostile, k_hostile);
  contents.database = k_hostile;
  contents.unshown = {{k_hostile, k_hostile}};
  contents.is_overview = true;
  const std::string page = report_page(contents);
  EXPECT_EQ(count_of(page, "<img"), 0U);
  EXPECT_EQ(count_of(page, "<script"), 2U);  // the data and the page's own
  EXPECT_EQ(count_of(page, "</script>"), 2U);
  EXPECT_EQ(count_of(page, "onerror=\""), 0U);
  EXPECT_GT(count_of(page, "&lt;img src=x"), 3U);
}

TEST(ReportPage, ShowsWhereTheBestAndBaselinesWait) {
  PageContents contents = some_contents();
  EXPECT_EQ(report_page(contents).find("Where it waits"), std::string::npos);
  KernelRecord& kernel = contents.kernels[0];
  kernel.problems[0].sampled = {
      {"best", some_lines("matmul.cu"), find_stalls({{}, 1, some_lines("matmul.cu")}, {})},
      {"naive", some_lines("a.cuh"), {}}};
  kernel.texts.add("matmul.cu", "first;\n  second;\nthird;\n");
  const std::string page = report_page(contents);
  const std::string best =
      between(page, "<details class=\"lines\" open><summary>best</summary>", "</details>");
  for (const char* part :
       {"75.0 %", "matmul.cu:2", "long_scoreboard", "  second;", "25.0 %",
        "wait for loads from global memory", "4000 of a launch, one every 1024 cycles of an SM"}) {
    EXPECT_NE(best.find(part), std::string::npos) << part;
  }
  const std::string naive =
      between(page, "<details class=\"lines\"><summary>naive</summary>", "</details>");
  EXPECT_NE(naive.find("a.cuh:3"), std::string::npos);
  EXPECT_EQ(naive.find("second;"), std::string::npos);  // not one of the kernel's own files
}

TEST(ReportPage, ShowsHostileLinesAsText) {
  PageContents contents = some_contents();
  KernelRecord& kernel = contents.kernels[0];
  kernel.problems[0].sampled = {
      {k_hostile, some_lines(k_hostile), find_stalls({{}, 1, some_lines(k_hostile)}, {})}};
  kernel.texts.add(k_hostile, k_hostile + "\n" + k_hostile + "\n");
  const std::string page = report_page(contents);
  EXPECT_EQ(count_of(page, "<img"), 0U);
  EXPECT_EQ(count_of(page, "</script>"), 2U);
  EXPECT_GT(count_of(page, "&lt;img src=x"), 3U);
}

TEST(ReportPage, DataIsJsonWithoutMarkup) {
  const std::string page = report_page(some_contents(k_hostile, k_hostile, k_hostile));
  const std::string data = between(page, "id=\"data\">", "</script>");
  EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
  const nlohmann::json problem = nlohmann::json::parse(data).at("problems").at(0);
  EXPECT_EQ(problem.at("params"), nlohmann::json({"TILE", "STAGES"}));
  EXPECT_EQ(problem.at("values").at(0), nlohmann::json({"32", "64", "128", "256"}));
  EXPECT_EQ(problem.at("config").at(0), "ABCD");
  EXPECT_EQ(problem.at("ms"), nlohmann::json({5.0, 2.6, 2.54, nullptr}));
  EXPECT_EQ(problem.at("status"), "AAAB");
  EXPECT_EQ(problem.at("counts"), "BBBB");
}

TEST(ReportPage, PausesBetweenRunsAreNoTimeOfTheSearch) {
  PageContents contents = some_contents();
  std::vector<SearchStep>& steps = contents.kernels[0].problems[0].steps;
  steps[1].created = "2026-01-02T03:04:06.178Z";  // half a second after the first
  steps[2].created = "2026-02-01T00:00:00.000Z";
  steps[3].created = "2026-02-01T00:00:02.000Z";
  steps[2].run = steps[3].run = RunId{2};
  const std::string data = between(report_page(contents), "id=\"data\">", "</script>");
  EXPECT_EQ(nlohmann::json::parse(data).at("problems").at(0).at("seconds"),
            nlohmann::json({0.0, 0.5, 0.5, 2.5}));
}

TEST(ReportPage, PolicyAllowsOnlyTheOwnScriptAndStyles) {
  const std::string page = report_page(some_contents());
  const std::string policy = between(page, "Content-Security-Policy\" content=\"", "\"");
  EXPECT_TRUE(policy.starts_with("default-src 'none';")) << policy;
  const std::string script = between(page, "</script>\n<script>", "</script>");
  EXPECT_NE(policy.find("script-src 'sha256-" + base64_digest(script) + "'"), std::string::npos);
  const std::string style = between(page, "<style>", "</style>");
  EXPECT_NE(policy.find("style-src 'sha256-" + base64_digest(style) + "'"), std::string::npos);
  for (const char* outside : {"http:", "https:", " style=\"", " onclick", "@import", "url("}) {
    const std::string without_names = page.substr(0, page.find("const SVG"));
    EXPECT_EQ(without_names.find(outside), std::string::npos) << outside;
  }
}

TEST(ReportPage, OfFiftyThousandMeasurementsIsBelow5MB) {
  PageContents contents = some_contents();
  ProblemRecord& problem = contents.kernels[0].problems[0];
  problem.steps.clear();
  for (int i = 0; i < 50'000; ++i) {
    SearchStep each = step(i, std::int64_t{1} << (i % 9), 2 + 1e-4 * i);
    each.created = fmt::format("2026-01-02T03:{:02}:{:02}.678Z", i / 60 % 60, i % 60);
    each.ci_low_ms = 1.999 + 1e-4 * i;
    each.ci_high_ms = 2.001 + 1e-4 * i;
    each.registers = 32 + i % 224;
    each.spilled_bytes = 0;
    each.shared_bytes = 1024 * (i % 200);
    problem.steps.push_back(std::move(each));
  }
  EXPECT_LT(report_page(contents).size(), 5'000'000U);
}

TEST(ScriptText, EscapesWhatCouldEndTheScript) {
  EXPECT_EQ(script_text("[\"</script>&\xE2\x80\xA8\xE2\x80\xA9\"]"),
            "[\"\\u003c/script\\u003e\\u0026\\u2028\\u2029\"]");
}

}  // namespace
}  // namespace gtune::test
