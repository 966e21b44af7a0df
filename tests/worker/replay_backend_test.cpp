#include "worker/replay_backend.hpp"

#include <gtest/gtest.h>

#include "model/error.hpp"
#include "support/some_lines.hpp"
#include "worker/support.hpp"

namespace gtune {
namespace {

using test::measure_request;
using test::some_recording;

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() { open(false); }

  void open(bool awkward, const Problem& problem = {{"n", 1024}}) {
    OpenProblem request;
    request.problem = problem;
    request.awkward = awkward;
    static_cast<void>(m_backend.answer(request));
  }

  std::vector<double> samples_of(const Measure& request) {
    const MeasureReply reply = m_backend.answer(request);
    EXPECT_EQ(reply.status, Status::ok) << reply.reason;
    return reply.timing ? reply.timing->samples_ms : std::vector<double>();
  }

  ReplayBackend m_backend{{some_recording()}};
};

TEST_F(ReplayTest, SaysWhatItIsARecordingOf) {
  const HelloReply hello = m_backend.answer(Hello{});
  EXPECT_EQ(hello.device.name, "NVIDIA H200");
  EXPECT_TRUE(hello.device.replayed);
  EXPECT_EQ(hello.recorded_kernel.value().source_hash, "5000");
  EXPECT_EQ(hello.recorded_toolchain.value().nvrtc, "13.1");
  // Failed configurations are part of the space; a baseline is not.
  EXPECT_EQ(hello.recorded_configs.size(), 4U);
  EXPECT_EQ(hello.recorded_configs.at(3).text(), "A=2,B=2");
  const DeviceLimits limits = m_backend.answer(Prepare{}).limits;
  EXPECT_EQ(limits.fma_tflops, 60.5);
  EXPECT_FALSE(limits.dram_gbps);
}

TEST_F(ReplayTest, SamplesComeInTheirOrderAndEachOnce) {
  const Measure request = measure_request({{"A", 1}, {"B", 2}}, 7);
  EXPECT_EQ(samples_of(request), (std::vector{1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0}));
  EXPECT_EQ(samples_of(request), (std::vector{4.5, 5.0, 5.5}));
  // All are used: repeated ones would look like a second opinion.
  const MeasureReply reply = m_backend.answer(request);
  EXPECT_FALSE(reply.performed);
  EXPECT_EQ(reply.status, Status::pruned);
  EXPECT_EQ(reply.reason, "the recording has no more samples of it");
  EXPECT_FALSE(reply.timing);
}

TEST_F(ReplayTest, EachConfigurationHasAPlaceOfItsOwn) {
  static_cast<void>(m_backend.answer(measure_request({{"A", 1}, {"B", 2}}, 7)));
  EXPECT_EQ(samples_of(measure_request({{"A", 1}, {"B", 1}}, 7)), std::vector(7, 2.0));
  EXPECT_EQ(samples_of(measure_request({{"A", 1}, {"B", 2}}, 7)).at(0), 4.5);
}

TEST_F(ReplayTest, TheSameRulesStopIt) {
  Measure request = measure_request({{"A", 1}, {"B", 1}});
  request.sampling = {3, 8, 50, 1.0, 0.01};
  MeasureReply reply = m_backend.answer(request);
  EXPECT_EQ(reply.timing.value().samples_ms.size(), 8U);  // all equal
  EXPECT_TRUE(reply.timing->converged);
  request.config = {{"A", 1}, {"B", 2}};
  request.sampling = {3, 8, 50, 0.004, 0.01};
  reply = m_backend.answer(request);  // all different: stopped by time
  EXPECT_EQ(reply.timing.value().samples_ms, (std::vector{1.0, 1.5, 2.0}));
  request.sampling.max_seconds = 1;
  reply = m_backend.answer(request);  // stopped by the end of the recording
  EXPECT_EQ(reply.timing.value().samples_ms.size(), 7U);
  EXPECT_FALSE(reply.timing->converged);
}

TEST_F(ReplayTest, WhatIsClearlySlowerIsDiscardedEarly) {
  Measure request = measure_request({{"A", 1}, {"B", 1}}, 7);
  request.best_ms = 1.0;
  MeasureReply reply = m_backend.answer(request);
  EXPECT_TRUE(reply.timing.value().discarded_early);
  EXPECT_EQ(reply.timing->samples_ms.size(), 3U);
  request.best_ms = 1.95;
  reply = m_backend.answer(request);
  EXPECT_FALSE(reply.timing.value().discarded_early);
  EXPECT_EQ(reply.timing->samples_ms.size(), 7U);
}

TEST_F(ReplayTest, TellsAllThatWasRecorded) {
  const MeasureReply reply = m_backend.answer(measure_request({{"A", 1}, {"B", 2}}));
  EXPECT_TRUE(reply.performed);
  EXPECT_EQ(reply.max_error, 0.25);
  EXPECT_EQ(reply.compile_ms, 12.5);
  EXPECT_EQ(reply.gpu_ms, 30);
  EXPECT_EQ(reply.resources.value().registers, 96);
  EXPECT_EQ(reply.timing.value().sm_clock_mhz, 1980);
  EXPECT_TRUE(reply.timing->mode.flushes_l2());
  EXPECT_FALSE(reply.worker_lost);
}

TEST_F(ReplayTest, AFailureIsToldAsItWas) {
  const MeasureReply reply = m_backend.answer(measure_request({{"A", 2}, {"B", 2}}));
  EXPECT_TRUE(reply.performed);
  EXPECT_EQ(reply.status, Status::wrong_result);
  EXPECT_EQ(reply.reason, "out[3] is 1, not 2");
  EXPECT_FALSE(reply.timing);
}

TEST_F(ReplayTest, TheOrderOfNamesDoesNotMatter) {
  EXPECT_EQ(samples_of(measure_request({{"B", 2}, {"A", 1}})).at(0), 1.0);
}

TEST_F(ReplayTest, BaselinesAreFoundByTheirLabel) {
  Measure request = measure_request({{"A", 1}, {"B", 2}}, 3);
  request.label = "naive";
  EXPECT_EQ(samples_of(request), (std::vector{7.0, 8.0, 9.0}));
  request.label = "cublas";
  EXPECT_FALSE(m_backend.answer(request).performed);
}

TEST_F(ReplayTest, WhatIsNotRecordedIsNotPerformed) {
  const MeasureReply unknown = m_backend.answer(measure_request({{"A", 1}, {"B", 4}}));
  EXPECT_FALSE(unknown.performed);
  EXPECT_EQ(unknown.status, Status::pruned);
  EXPECT_FALSE(unknown.reason.empty());
  EXPECT_FALSE(unknown.timing);
  Measure warm = measure_request({{"A", 1}, {"B", 2}});
  warm.mode.order = LaunchOrder::warm;  // recorded with a flushed cache
  EXPECT_FALSE(m_backend.answer(warm).performed);
}

TEST_F(ReplayTest, ACheckAloneTakesNoSamples) {
  Measure check = measure_request({{"A", 1}, {"B", 2}});
  check.time = false;
  EXPECT_FALSE(m_backend.answer(check).timing);
  EXPECT_EQ(samples_of(measure_request({{"A", 1}, {"B", 2}})).at(0), 1.0);
}

TEST_F(ReplayTest, AnotherProblemIsNotStored) {
  try {
    open(false, {{"n", 2048}});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::nothing_stored);
    const std::string text = error.what();
    EXPECT_NE(text.find("n=1024"), text.npos) << text;
    EXPECT_NE(text.find("n=2048"), text.npos) << text;
  }
}

TEST_F(ReplayTest, AnAwkwardSizeAnswersFromItsRecordedCheck) {
  open(true, {{"n", 1}});
  EXPECT_EQ(m_backend.answer(measure_request({{"A", 1}, {"B", 2}})).status, Status::ok);
  const MeasureReply failed = m_backend.answer(measure_request({{"A", 1}, {"B", 1}}));
  EXPECT_EQ(failed.status, Status::wrong_result);
  EXPECT_TRUE(failed.performed);
  EXPECT_FALSE(m_backend.answer(measure_request({{"A", 4}, {"B", 1}})).performed);
  open(false);
  EXPECT_EQ(samples_of(measure_request({{"A", 1}, {"B", 2}})).at(0), 1.0);
}

TEST_F(ReplayTest, MetricsAreThoseAskedForAndRecorded) {
  const ProfileReply some =
      m_backend.answer(Profile{measure_request({{"B", 2}, {"A", 1}}), {"l2_hit_rate", "duration"}});
  ASSERT_EQ(some.metrics.size(), 1U);
  EXPECT_EQ(some.metrics[0].reason, "none");
  EXPECT_FALSE(some.unavailable);
  for (const Measure& without :
       {measure_request({{"A", 4}, {"B", 1}}), measure_request({{"A", 9}})}) {
    const ProfileReply none = m_backend.answer(Profile{without, {"ipc"}});
    EXPECT_TRUE(none.metrics.empty());
    EXPECT_EQ(none.reason, "not in the recording");
  }
  Measure warm = measure_request({{"A", 1}, {"B", 2}});
  warm.mode.order = LaunchOrder::warm;
  EXPECT_TRUE(m_backend.answer(Profile{warm, {"ipc"}}).metrics.empty());
}

TEST_F(ReplayTest, WithoutRecordedEnergiesItMeasuresNone) {
  EXPECT_FALSE(m_backend.answer(Hello{}).measures_energy);
  const MeasureEnergyReply reply =
      m_backend.answer(MeasureEnergy{measure_request({{"A", 1}, {"B", 2}})});
  EXPECT_FALSE(reply.energy);
  EXPECT_EQ(reply.reason, "not in the recording");
}

TEST(ReplayBackend, EnergiesAreThoseRecorded) {
  Recording recording = some_recording();
  recording.measurements.front().metrics = energy_metrics({74.5, 372, 4000, 0.75, 9});
  const Config config = recording.measurements.front().measurement.config;
  const Problem problem = recording.problem;
  ReplayBackend backend({recording});
  EXPECT_TRUE(backend.answer(Hello{}).measures_energy);
  OpenProblem open;
  open.problem = problem;
  (void)backend.answer(open);
  Measure run;
  run.config = config;
  const MeasureEnergyReply reply = backend.answer(MeasureEnergy{run});
  ASSERT_TRUE(reply.energy);
  EXPECT_EQ(reply.energy->energy_mj, 74.5);
  EXPECT_EQ(reply.energy->power_w, 372);
  run.mode.order = LaunchOrder::warm;  // recorded cold
  EXPECT_FALSE(backend.answer(MeasureEnergy{run}).energy);
}

TEST(ReplayBackend, SourceLinesAreThoseRecorded) {
  Recording recording = some_recording();
  recording.measurements.front().lines = test::some_lines();
  Measure run;
  run.config = recording.measurements.front().measurement.config;
  OpenProblem open;
  open.problem = recording.problem;
  ReplayBackend backend({recording});
  (void)backend.answer(open);
  const SampleLinesReply reply = backend.answer(SampleLines{run});
  ASSERT_TRUE(reply.profile);
  EXPECT_EQ(reply.profile->samples, test::some_lines().samples);
  run.mode.order = LaunchOrder::warm;  // recorded cold
  EXPECT_EQ(backend.answer(SampleLines{run}).reason, "not in the recording");
}

}  // namespace
}  // namespace gtune
