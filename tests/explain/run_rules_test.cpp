// Findings about copies between host and device, from the specs of the classic lessons.
#include <gtest/gtest.h>

#include "explain/rules.hpp"
#include "model/step_metrics.hpp"
#include "model/value_word.hpp"
#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

/// A measured configuration of a lesson, with the times of its steps.
class Lesson {
 public:
  explicit Lesson(const std::string& name)
      : m_spec(read_spec(GTUNE_SOURCE_DIR "/examples/classics/" + name + ".toml", {})) {}

  [[nodiscard]] Subject subject(const NamedValues& asked, const Config& config, double ms,
                                const std::vector<StepTime>& times) const {
    Problem problem = expand_problems(m_spec, {}).front();
    for (const auto& [size, value] : asked.entries()) problem.set(size, value);
    Measurement measured;
    measured.config = config;
    measured.timing.emplace();
    measured.timing->median_ms = ms;
    const DeviceFacts device = typical_device("sm_90");
    return {"best", device, measured, find_static_facts(m_spec, problem, device, measured),
            step_metrics(times)};
  }

  [[nodiscard]] std::int64_t value(const std::string& parameter, const std::string& word) const {
    for (const Parameter& each : m_spec.params) {
      if (each.name != parameter) continue;
      for (const std::int64_t value : each.values) {
        if (value_text(value) == word) return value;
      }
    }
    throw std::invalid_argument(word);
  }

 private:
  KernelSpec m_spec;
};

TEST(RunRules, StepsOfOneStreamTakeTurns) {
  const Lesson overlap("overlap");
  const Config config = {{"CHUNKS", 4}, {"STREAMS", 1}};
  const Subject subject =
      overlap.subject({}, config, 12.2, {{"in", 4.84}, {"work", 2.4}, {"out", 4.86}});
  ASSERT_EQ(subject.facts.steps.size(), 3U);
  EXPECT_EQ(subject.facts.steps[0].work, StepWork::to_device);
  EXPECT_EQ(subject.facts.steps[0].repeats, 4);
  EXPECT_DOUBLE_EQ(subject.facts.steps[0].bytes, 268435456);
  EXPECT_EQ(subject.facts.steps[1].work, StepWork::kernel);
  EXPECT_EQ(subject.facts.steps[2].work, StepWork::to_host);
  const auto found = serial_steps(subject);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->cost.value(), 1 - 4.86 / 12.2, 1e-9);
  EXPECT_EQ(found->bound, "copies to the host alone take 4.860 ms of 12.20 ms");
  EXPECT_FALSE(transfer_bound(subject));  // no part takes most of the time
}

TEST(RunRules, APipelineIsBoundByItsLongestCopies) {
  const Lesson overlap("overlap");
  const Config config = {{"CHUNKS", 32}, {"STREAMS", 3}};
  const Subject subject =
      overlap.subject({}, config, 5.64, {{"in", 5.08}, {"work", 2.89}, {"out", 5.07}});
  EXPECT_FALSE(serial_steps(subject));
  const auto found = transfer_bound(subject);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->summary, "bound by copies to the device, at 52.84 GB/s");
  EXPECT_NEAR(found->cost.value(), 1 - 5.08 / 5.64, 1e-9);
  // Kernels that take longest are no copies.
  const Subject computing =
      overlap.subject({}, config, 10.6, {{"in", 5.08}, {"work", 10.1}, {"out", 5.07}});
  EXPECT_FALSE(transfer_bound(computing));
  const auto kernels = kernels_bound(computing);
  ASSERT_TRUE(kernels);
  EXPECT_EQ(kernels->summary, "bound by kernels, which take 95 % of the time by themselves");
  EXPECT_NEAR(kernels->cost.value(), 1 - 10.1 / 10.6, 1e-9);
  EXPECT_FALSE(kernels_bound(subject));
  // Unknown times tell nothing.
  EXPECT_FALSE(transfer_bound(overlap.subject({}, config, 5.64, {})));
}

TEST(RunRules, ASingleCopyNeedsNoTimesOfSteps) {
  const Lesson transfer("transfer");
  Config config = {{"CHUNKS", 1}, {"STREAMS", 1}};
  config.set("MEMORY", transfer.value("MEMORY", "pinned"));
  const auto pinned = transfer_bound(transfer.subject({}, config, 4.84, {}));
  ASSERT_TRUE(pinned);
  EXPECT_EQ(pinned->cost.value(), 0);
  config.set("MEMORY", transfer.value("MEMORY", "pageable"));
  const auto pageable = transfer_bound(transfer.subject({}, config, 40.8, {}));
  ASSERT_TRUE(pageable);
  EXPECT_FALSE(pageable->cost);
  EXPECT_NE(pageable->advice.find("page-locked"), std::string::npos);
}

TEST(RunRules, CopiesToAndFromAnotherGpuAreTwoParts) {
  const Lesson peer("peer");
  Config config = {{"CHUNKS", 1}, {"BLOCK", 256}, {"BLOCKS_PER_SM", 1}};
  config.set("MOVER", peer.value("MOVER", "copy_engine"));
  config.set("WORD", peer.value("WORD", "float"));
  const Subject in_turn = peer.subject({{"direction", 2}}, config, 1.369,
                                       {{"copy_to_other", 0.684}, {"copy_from_other", 0.697}});
  ASSERT_EQ(in_turn.facts.steps.size(), 2U);
  EXPECT_EQ(in_turn.facts.steps[0].work, StepWork::to_peer);
  EXPECT_EQ(in_turn.facts.steps[1].work, StepWork::from_peer);
  const auto found = serial_steps(in_turn);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->summary,
            "copies in both directions take turns, although they could run at the same time");
  EXPECT_NEAR(found->cost.value(), 1 - 0.697 / 1.369, 1e-9);
  EXPECT_FALSE(transfer_bound(in_turn));
}

TEST(RunRules, WithoutTransfersNothingIsSaidOfSteps) {
  const std::vector<RunStep> steps = {{"clear", StepWork::within_memory, 1, 0, false},
                                      {"sum", StepWork::kernel, 1, 0, false}};
  const Lesson overlap("overlap");
  Subject subject =
      overlap.subject({}, {{"CHUNKS", 1}, {"STREAMS", 1}}, 1, {{"clear", 0.2}, {"sum", 0.8}});
  subject.facts.steps = steps;
  EXPECT_FALSE(serial_steps(subject));
  EXPECT_FALSE(kernels_bound(subject));
  EXPECT_FALSE(transfer_bound(subject));
}

TEST(RunRules, FillsBeforeOverlappedStepsAreNoTurns) {
  const Lesson overlap("overlap");
  Subject subject = overlap.subject({}, {{"CHUNKS", 1}, {"STREAMS", 1}}, 6,
                                    {{"clear", 5}, {"in", 1}, {"work", 1}});
  subject.facts.steps = {{"clear", StepWork::within_memory, 1, 0, false},
                         {"in", StepWork::to_device, 1, 4096, false},
                         {"work", StepWork::kernel, 1, 0, false}};
  EXPECT_FALSE(serial_steps(subject));
  subject.measured.timing->median_ms = 7;  // one after the other
  const auto found = serial_steps(subject);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->cost.value(), 1.0 / 7, 1e-9);
}

TEST(RunRules, ManyShortStepsAreBoundByTheirLaunches) {
  const Lesson overlap("overlap");
  const Config config = {{"CHUNKS", 64}, {"STREAMS", 3}};
  const auto found = launch_bound(overlap.subject({{"bytes", 65536}}, config, 0.5, {}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->summary, "bound by launches: 192 steps of 2.60 us on average");
  EXPECT_FALSE(launch_bound(overlap.subject({}, config, 5.6, {})));
}

}  // namespace
}  // namespace gtune
