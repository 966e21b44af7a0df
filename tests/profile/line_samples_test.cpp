// From sampled addresses to source lines, without a GPU.
#include "profile/line_samples.hpp"

#include <gtest/gtest.h>

#include "profile/sampling_plan.hpp"
#include "profile/stall_reason.hpp"

namespace gtune {
namespace {

const std::string prefix = "smsp__pcsamp_warps_issue_stalled_";

AddressSamples at(std::uint64_t offset, std::uint64_t waits, std::uint64_t barriers = 0) {
  AddressSamples address{"_Z1kPf", offset, {}};
  if (waits > 0) address.stalls[prefix + "wait"] = waits;
  if (barriers > 0) address.stalls[prefix + "barrier"] = barriers;
  return address;
}

/// Four instructions to a line.
InstructionFacts some_facts() {
  return {[](const std::string&, std::uint64_t offset) {
            return SourceLine{"/k.cu", static_cast<int>(offset / 64) + 1};
          },
          [](const std::string&, std::uint64_t offset) {
            return std::string(offset % 32 == 0 ? "LDG.E.128" : "FFMA");
          }};
}

TEST(StallReason, IsTheLastPartOfItsName) {
  EXPECT_EQ(stall_reason(prefix + "long_scoreboard"), "long_scoreboard");
  EXPECT_EQ(stall_reason(prefix + "selected"), "selected");
  // These samples are also counted without the ending.
  EXPECT_FALSE(stall_reason(prefix + "long_scoreboard_not_issued"));
  EXPECT_EQ(stall_reason(prefix + "not_selected"), "not_selected");
  EXPECT_FALSE(stall_reason("smsp__pcsamp_sample_count"));
}

TEST(LineSamples, InstructionsOfALineAreAddedUp) {
  SampledAddresses sampled;
  sampled.addresses = {at(0, 10, 5), at(16, 20), at(64, 100)};
  sampled.addresses[0].stalls[prefix + "wait_not_issued"] = 9;
  sampled.dropped = 3;
  const LineProfile profile = profile_of_lines(sampled, some_facts());
  EXPECT_EQ(profile.samples, 135U);
  EXPECT_EQ(profile.dropped, 3U);
  ASSERT_EQ(profile.lines.size(), 2U);
  EXPECT_EQ(profile.lines[0].line, 2) << "the most samples first";
  const LineSamples& line = profile.lines[1];
  EXPECT_EQ(line.file, "/k.cu");
  EXPECT_EQ(line.function, "k(float*)");
  EXPECT_EQ(line.stalls, (SampleCounts{{"wait", 30}, {"barrier", 5}}));
  EXPECT_EQ(line.opcodes, (SampleCounts{{"LDG", 15}, {"FFMA", 20}}));
  EXPECT_EQ(line.instructions, 2U);
  ASSERT_EQ(line.hottest.size(), 2U);
  EXPECT_EQ(line.hottest[0].offset, 16U);
  EXPECT_EQ(line.hottest[1].opcode, "LDG.E.128");
  EXPECT_EQ(line.hottest[1].stall, "wait");
}

TEST(LineSamples, RecordsOfOneInstructionAreOne) {
  SampledAddresses sampled;
  sampled.addresses = {at(0, 10), at(0, 7)};
  const LineProfile profile = profile_of_lines(sampled, some_facts());
  ASSERT_EQ(profile.lines.size(), 1U);
  EXPECT_EQ(profile.lines[0].instructions, 1U);
  EXPECT_EQ(profile.samples, 17U);
}

TEST(LineSamples, OnlyTheLinesAndInstructionsWithTheMostAreKept) {
  constexpr std::uint64_t instructions = 2 * k_most_hottest;  // of each line
  InstructionFacts facts = some_facts();
  facts.line_of = [](const std::string&, std::uint64_t offset) {
    return SourceLine{"/k.cu", static_cast<int>(offset / (16 * instructions)) + 1};
  };
  SampledAddresses sampled;
  for (std::uint64_t i = 0; i < instructions * (k_most_lines + 50); ++i) {
    sampled.addresses.push_back(at(16 * i, i + 1));
  }
  const LineProfile profile = profile_of_lines(sampled, facts);
  ASSERT_EQ(profile.lines.size(), k_most_lines);
  EXPECT_EQ(profile.lines.back().line, 51);
  EXPECT_EQ(profile.lines.front().instructions, instructions);
  ASSERT_EQ(profile.lines.front().hottest.size(), k_most_hottest);
  EXPECT_EQ(profile.lines.front().hottest.front().samples, sampled.addresses.size());
  std::uint64_t kept = 0;
  for (const LineSamples& line : profile.lines) kept += line.samples();
  EXPECT_GT(profile.samples, kept) << "the total counts lines that are left out";
}

TEST(LineSamples, WithoutADisassemblerInstructionsHaveNoKind) {
  InstructionFacts facts = some_facts();
  facts.opcode_of = [](const std::string&, std::uint64_t) { return std::string(); };
  SampledAddresses sampled;
  sampled.addresses = {at(0, 10)};
  const LineProfile profile = profile_of_lines(sampled, facts);
  ASSERT_EQ(profile.lines.size(), 1U);
  EXPECT_TRUE(profile.lines[0].opcodes.empty());
  EXPECT_EQ(profile.lines[0].hottest[0].opcode, "");
}

TEST(SamplingPlan, ShortKernelsAreRepeatedAndLongOnesSampledLessOften) {
  EXPECT_EQ(plan_sampling(0.0001).launches, 20);
  EXPECT_EQ(plan_sampling(0.1).launches, 5);
  EXPECT_EQ(plan_sampling(2.5).launches, 1);
  EXPECT_EQ(plan_sampling(2.5).period_cycles(), 1024);
  EXPECT_EQ(plan_sampling(2.5).period_log2, plan_sampling(0.005).period_log2)
      << "a change of the period takes long";
  EXPECT_EQ(plan_sampling(20).period_log2, 13U);
  EXPECT_EQ(plan_sampling(100).period_log2, 16U);
  EXPECT_LE(plan_sampling(1e9).period_log2, 31U);
  EXPECT_EQ(plan_sampling(0).launches, 1);
}

}  // namespace
}  // namespace gtune
