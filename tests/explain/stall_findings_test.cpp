// What stalls mean beside the instructions of a kernel, and what parameters did to them.
#include "explain/stall_findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "explain/stalls_report.hpp"
#include "model/statistics.hpp"

namespace gtune {
namespace {

LineSamples line_of(int number, SampleCounts stalls, SampleCounts opcodes) {
  LineSamples line;
  line.file = "k.cu";
  line.line = number;
  line.stalls = std::move(stalls);
  line.opcodes = std::move(opcodes);
  return line;
}

SampledConfig sampled(Config config, double ms, std::vector<LineSamples> lines) {
  SampledConfig out{std::move(config), ms, {}};
  for (const LineSamples& each : lines) out.profile.samples += each.samples();
  out.profile.lines = std::move(lines);
  return out;
}

/// `waits` of 100 samples wait for memory.
SampledConfig waiting(Config config, double ms, std::uint64_t waits) {
  return sampled(std::move(config), ms,
                 {line_of(7, {{"long_scoreboard", waits}}, {{"FFMA", waits}}),
                  line_of(5, {{"selected", 100 - waits}}, {{"LDG", 100 - waits}})});
}

TEST(Stalls, AreJoinedWithTheInstructionsThatCauseThem) {
  const auto loads = find_stalls(waiting({}, 1, 60), {});
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_EQ(loads[0].waits_for, "loads from global memory");
  ASSERT_EQ(loads[0].lines.size(), 1U);
  EXPECT_EQ(loads[0].lines[0].line, 7);
  EXPECT_NEAR(loads[0].lines[0].share, 0.6, 1e-12);
  ASSERT_EQ(loads[0].issued_by.size(), 1U);
  EXPECT_EQ(loads[0].issued_by[0].line, 5);

  // The kind of instruction with the most samples counts.
  const auto local = find_stalls(
      sampled({}, 1, {line_of(7, {{"long_scoreboard", 60}}, {{"LDL", 40}, {"LDG", 20}})}), {});
  ASSERT_EQ(local.size(), 1U);
  EXPECT_TRUE(local[0].waits_for.starts_with("loads from local memory")) << local[0].waits_for;
  const auto atomics = find_stalls(
      sampled({}, 1, {line_of(7, {{"long_scoreboard", 60}}, {{"REDG", 40}, {"LDG", 20}})}), {});
  ASSERT_EQ(atomics.size(), 1U);
  EXPECT_EQ(atomics[0].waits_for, "atomics in global memory");
}

Subject with_memory_busy(double percent) {
  Subject subject;
  subject.metrics = {{"dram_throughput", percent, "percent", ""}};
  return subject;
}

TEST(Stalls, ForABusyUnitAreNotHiddenByMoreWork) {
  const auto stalls = find_stalls(waiting({}, 1, 60), {}, with_memory_busy(90));
  ASSERT_EQ(stalls.size(), 1U);
  EXPECT_EQ(stalls[0].advice,
            "fewer bytes: coalesced loads, tiles in shared memory and registers; more at once does "
            "not help (device memory is busy 90 % of the time)");
  const auto idle = find_stalls(waiting({}, 1, 60), {}, with_memory_busy(75));
  ASSERT_EQ(idle.size(), 1U);
  EXPECT_NE(idle[0].advice, stalls[0].advice);
}

TEST(Stalls, OfAKernelAsFastAsCopiesHaveNoAdvice) {
  Subject subject = with_memory_busy(75);
  subject.measured.timing = summarise({1});
  subject.facts.roof = Roof{};
  subject.facts.roof->share = 0.92;
  const auto stalls = find_stalls(waiting({}, 1, 60), {}, subject);
  ASSERT_EQ(stalls.size(), 1U);
  EXPECT_TRUE(stalls[0].advice.starts_with("little is left to gain")) << stalls[0].advice;
}

TEST(Stalls, WithoutKnownInstructionsAreShownWithoutAnExplanation) {
  const auto stalls =
      find_stalls(sampled({}, 1, {line_of(7, {{"short_scoreboard", 60}}, {{"FFMA", 60}})}), {});
  ASSERT_EQ(stalls.size(), 1U);
  EXPECT_EQ(stalls[0].waits_for, "");
  EXPECT_EQ(stalls[0].advice, "");
  EXPECT_EQ(stalls[0].lines.size(), 1U);
}

TEST(Stalls, OfABaselineHaveNoEffects) {
  const auto stalls = find_stalls(
      waiting({}, 1, 60), {waiting({{"STAGES", 2}}, 1, 60), waiting({{"STAGES", 3}}, 1, 20)});
  ASSERT_EQ(stalls.size(), 1U);
  EXPECT_TRUE(stalls[0].effects.empty());
}

TEST(Stalls, OfFewSamplesAreLeftOut) {
  const auto few = sampled({}, 1, {line_of(7, {{"barrier", 9}, {"wait", 91}}, {{"BAR", 100}})});
  const auto stalls = find_stalls(few, {});
  ASSERT_EQ(stalls.size(), 1U);
  EXPECT_EQ(stalls[0].stall, "wait");
}

TEST(Stalls, NameTheParametersThatReducedThem) {
  const SampledConfig best = waiting({{"STAGES", 2}, {"BM", 64}}, 1.0, 60);
  const auto stalls = find_stalls(best, {best, waiting({{"STAGES", 3}, {"BM", 64}}, 0.9, 30),
                                         waiting({{"STAGES", 1}, {"BM", 64}}, 2.0, 80),
                                         waiting({{"STAGES", 4}, {"BM", 128}}, 0.5, 10)});
  ASSERT_EQ(stalls.size(), 1U);
  ASSERT_EQ(stalls[0].effects.size(), 1U) << "not one that waits more, nor one of two changes";
  const ParameterChange& effect = stalls[0].effects[0];
  EXPECT_EQ(effect.parameter, "STAGES");
  EXPECT_EQ(effect.from, 2);
  EXPECT_EQ(effect.to, 3);
  EXPECT_NEAR(effect.before, 0.6, 1e-12);
  EXPECT_NEAR(effect.after, 0.3, 1e-12);
  EXPECT_NEAR(effect.time_change, -0.1, 1e-12);
  EXPECT_TRUE(effect.of_own_config);
}

TEST(Stalls, TakeTheMeanOfOtherPairsWithTheSameChange) {
  const SampledConfig best = waiting({{"STAGES", 2}, {"BM", 64}}, 1.0, 60);
  const auto stalls = find_stalls(best, {best, waiting({{"STAGES", 2}, {"BM", 32}}, 1.0, 50),
                                         waiting({{"STAGES", 3}, {"BM", 32}}, 0.8, 40),
                                         waiting({{"STAGES", 2}, {"BM", 16}}, 1.0, 50),
                                         waiting({{"STAGES", 3}, {"BM", 16}}, 1.0, 20)});
  ASSERT_EQ(stalls.size(), 1U);
  const auto& effects = stalls[0].effects;
  const auto stages = std::find_if(effects.begin(), effects.end(), [](const ParameterChange& each) {
    return each.parameter == "STAGES";
  });
  ASSERT_NE(stages, effects.end());
  EXPECT_EQ(stages->pairs, 2);
  EXPECT_FALSE(stages->of_own_config);
  EXPECT_NEAR(stages->after, 0.3, 1e-12);
  EXPECT_NEAR(stages->time_change, -0.1, 1e-12);
}

TEST(Stalls, SayWhatWasTriedAndWasNoFaster) {
  const SampledConfig best = waiting({{"STAGES", 2}}, 1.0, 60);
  Document out;
  add_stalls(out, find_stalls(best, {best, waiting({{"STAGES", 3}}, 1.1, 30)}));
  const std::string text = text_of(out);
  EXPECT_NE(text.find("60 % of the samples wait for loads from global memory"), std::string::npos)
      << text;
  EXPECT_NE(text.find("2 -> 3: 60 % -> 30 % of the samples, 10.0 % more time"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace gtune
