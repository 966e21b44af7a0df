// Runs that sample source lines.
#include <SQLiteCpp/SQLiteCpp.h>

#include "tune_fixture.hpp"

namespace gtune {
namespace {

using test::FakeDevice;
using test::p_of;

SampleLinesReply sampled(const std::string& file, int line) {
  SampleLinesReply reply;
  reply.profile = LineProfile{
      1024, 1, 100, 0, {{file, line, "made_up<1>()", {{"wait", 90}}, {{"FFMA", 90}}, 2, {}}}};
  return reply;
}

class LinesRuns : public test::TuneProblem {
 protected:
  LinesRuns() { m_settings.profile.lines = true; }

  [[nodiscard]] std::optional<StoredLines> lines_of(MeasurementId id) const {
    return database().load_line_profile(id);
  }
};

TEST_F(LinesRuns, FinalistsAndBaselinesHaveThemAndNothingIsSampledTwice) {
  FakeDevice& device = add_device();
  device.lines = [&](const Measure& run) {
    return sampled((m_folder.path() / "made_up.cu").string(),
                   run.label.empty() ? static_cast<int>(p_of(run.config)) : 50);
  };
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(device.asked_lines.size(), 4U);  // three finalists and the baseline
  const auto winner = lines_of(result(outcome).winner.id);
  ASSERT_TRUE(winner && winner->profile);
  ASSERT_EQ(winner->profile->lines.size(), 1U);
  EXPECT_EQ(winner->profile->lines[0].line, 1);
  EXPECT_EQ(winner->profile->lines[0].file, "made_up.cu") << "relative to the source's folder";
  const auto baseline = lines_of(stored(outcome, Phase::baseline).front().id);
  ASSERT_TRUE(baseline && baseline->profile);
  EXPECT_EQ(baseline->profile->lines[0].line, 50);
  EXPECT_TRUE(tune().from_store());
  EXPECT_EQ(device.asked_lines.size(), 4U);
}

TEST_F(LinesRuns, ASourceIsRecognisedInTheCompilersWorkingDirectory) {
  m_folder.write("parts/sum.cuh", "// a header\n");
  m_folder.write("made_up.cu", "#include \"parts/sum.cuh\"\n");
  add_device().lines = [&](const Measure&) {
    SampleLinesReply reply = sampled("/elsewhere/made_up.cu", 1);
    const std::string own_header = (m_folder.path() / "parts/../parts/sum.cuh").string();
    reply.profile->lines.push_back({own_header, 2, "f", {{"wait", 5}}, {}, 1, {}});
    reply.profile->lines.push_back({"/usr/include/x.h", 3, "f", {{"wait", 5}}, {}, 1, {}});
    return reply;
  };
  const auto lines = lines_of(result(tune()).winner.id);
  ASSERT_TRUE(lines && lines->profile);
  ASSERT_EQ(lines->profile->lines.size(), 3U);
  EXPECT_EQ(lines->profile->lines[0].file, "made_up.cu");
  EXPECT_EQ(lines->profile->lines[1].file, "parts/sum.cuh");
  EXPECT_EQ(lines->profile->lines[2].file, "/usr/include/x.h");
}

TEST_F(LinesRuns, AreNotSampledUnlessAskedFor) {
  m_settings.profile.lines = false;
  FakeDevice& device = add_device();
  device.lines = [](const Measure&) { return sampled("k.cu", 1); };
  const ProblemOutcome outcome = tune();
  EXPECT_TRUE(device.asked_lines.empty());
  EXPECT_FALSE(lines_of(result(outcome).winner.id));
}

TEST_F(LinesRuns, IfTheyCannotBeSampledOneNoteSaysSoAndTheRunEnds) {
  FakeDevice& device = add_device();  // without lines
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 1);
  EXPECT_EQ(device.asked_lines.size(), 1U) << "not asked again after that";
  EXPECT_TRUE(m_notes.has("no source lines: not on this device"));
  const auto stored_lines = lines_of(result(outcome).winner.id);
  ASSERT_TRUE(stored_lines);
  EXPECT_FALSE(stored_lines->profile);
  EXPECT_EQ(stored_lines->reason, "not on this device");
}

TEST_F(LinesRuns, AnImpossibleProfileIsStoredAsItsReason) {
  add_device().lines = [](const Measure&) {
    SampleLinesReply reply = sampled("k.cu", 1);
    reply.profile->samples = 1;
    return reply;
  };
  const auto stored_lines = lines_of(result(tune()).winner.id);
  ASSERT_TRUE(stored_lines);
  EXPECT_FALSE(stored_lines->profile);
  EXPECT_NE(stored_lines->reason.find("more samples"), std::string::npos) << stored_lines->reason;
}

TEST_F(LinesRuns, ALostWorkerCostsOnlyItsLines) {
  add_device().lines = [](const Measure& run) -> SampleLinesReply {
    if (p_of(run.config) == 1) throw WorkerLost(Status::crashed, "CUPTI crashed");
    return sampled("k.cu", 1);
  };
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 1);
  int with_profile = 0;
  for (const StoredMeasurement& each : stored(outcome, Phase::final)) {
    const auto lines = lines_of(each.id);
    if (lines && lines->profile) ++with_profile;
  }
  EXPECT_EQ(with_profile, 2);
}

TEST_F(LinesRuns, AnInterruptionKeepsWhatWasSampled) {
  add_device().lines = [this](const Measure&) {
    m_interrupted = true;
    return sampled("k.cu", 1);
  };
  const ProblemOutcome outcome = tune();
  EXPECT_FALSE(m_all_metrics);
  Database stored_in = database();
  EXPECT_EQ(stored_in.connection().execAndGet("SELECT COUNT(*) FROM line_profile").getInt(), 1);
}

/// A worker that can be asked directly.
class ProfilingWorker : public testing::Test {
 protected:
  void open(bool replayed) {
    m_device.facts.replayed = replayed;
    m_device.lines = [](const Measure&) { return sampled("k.cu", 1); };
    WorkerTerms terms;
    terms.interrupted = [] { return false; };
    terms.connect = test::connect_to({{"fake", &m_device}});
    m_worker.emplace(
        WorkerCommand{"fake", {}, false}, terms, [](const std::string&) {},
        [](const WorkerRequest&) {});
    (void)m_worker->connect();
    (void)m_worker->ask(Prepare{});
    (void)m_worker->ask(OpenProblem{});
  }
  template <typename Request>
  int starts_after(const Request& request) {
    (void)m_worker->ask(request);
    return m_device.starts;
  }

  FakeDevice m_device{"GPU-1", [](const Measure&) { return 1.0; }};
  std::optional<RestartingWorker> m_worker;
};

TEST_F(ProfilingWorker, SamplesLinesInAProcessThatDoesNothingElse) {
  open(false);
  Measure measure;
  EXPECT_EQ(starts_after(measure), 1);
  EXPECT_EQ(starts_after(SampleLines{measure}), 1);
  EXPECT_EQ(starts_after(SampleLines{measure}), 1);
  EXPECT_EQ(starts_after(measure), 2) << "it would be slower in that process";
  EXPECT_EQ(m_device.opened.size(), 2U) << "the new process has the problem";
  EXPECT_EQ(starts_after(Profile{measure, {"ipc"}}), 2);
  EXPECT_EQ(starts_after(SampleLines{measure}), 3) << "another profiler was in that process";
  EXPECT_EQ(starts_after(OpenProblem{}), 4);
  EXPECT_EQ(m_worker->workers_lost(), 0);
}

TEST_F(ProfilingWorker, OfARecordingStays) {
  open(true);
  EXPECT_EQ(starts_after(SampleLines{}), 1);
  EXPECT_EQ(starts_after(Measure{}), 1);
}

}  // namespace
}  // namespace gtune
