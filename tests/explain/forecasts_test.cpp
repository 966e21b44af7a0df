// Findings beside pairs of configurations of which one does not have the cause.
#include "explain/forecasts.hpp"

#include <gtest/gtest.h>

#include <map>

#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

const KernelSpec& transpose() {
  static const KernelSpec spec = read_spec(GTUNE_SOURCE_DIR "/tuner_configs/transpose.toml",
                                           {{std::filesystem::path(GTUNE_SOURCE_DIR) / "kernels"}});
  return spec;
}

/// A kernel that waits, but for conflicts in shared memory.
std::map<std::string, double> waiting() {
  return {{"dram_throughput", 30},        {"l2_throughput", 30},   {"l1_utilization", 50},
          {"issue_slot_utilization", 20}, {"sm_efficiency", 100},  {"fma_pipe_utilization", 5},
          {"bank_conflicts_atomic", 0},   {"bank_conflicts", 1e7}, {"gst_efficiency", 100}};
}

class Forecasts : public testing::Test {
 protected:
  Forecasts() : m_measured{transpose(), Problem(), typical_device("sm_90"), {}, {}} {}

  Subject& add(const Config& config, double ms, std::map<std::string, double> metrics) {
    Subject subject;
    subject.device = m_measured.device;
    subject.measured.config = config;
    subject.measured.timing.emplace().median_ms = ms;
    for (const auto& [name, value] : metrics) subject.metrics.push_back({name, value, "", ""});
    m_measured.counted.push_back(subject);
    ConfigSpeed speed;
    speed.config = config;
    speed.median_ms = ms;
    m_measured.speeds.push_back(speed);
    return m_measured.counted.back();
  }
  [[nodiscard]] std::vector<CheckedBound> bounds_of(const std::string& rule) const {
    std::vector<CheckedBound> bounds = check_forecasts(m_measured).bounds;
    std::erase_if(bounds, [&](const CheckedBound& each) { return each.rule != rule; });
    return bounds;
  }

  MeasuredProblem m_measured;
};

TEST_F(Forecasts, CompareConfigurationsThatDifferInOneParameter) {
  auto without = waiting();
  without["bank_conflicts"] = 1e5;
  add({{"WIDTH", 4}, {"SQUARES", 0}}, 0.1, waiting());
  add({{"WIDTH", 4}, {"SQUARES", 1}}, 0.08, without);
  add({{"WIDTH", 8}, {"SQUARES", 1}}, 0.07, without);
  const auto bounds = bounds_of("bank_conflicts");
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_EQ(bounds[0].with.text(), "WIDTH=4,SQUARES=0");
  EXPECT_EQ(bounds[0].without.text(), "WIDTH=4,SQUARES=1");
  EXPECT_NEAR(bounds[0].saved, 0.2, 1e-9);
  EXPECT_GT(bounds[0].bound, 0.2);
  EXPECT_TRUE(bounds[0].holds());
}

TEST_F(Forecasts, TakeParametersOfOneAloneForItsOwn) {
  auto without = waiting();
  without["bank_conflicts"] = 0;
  add({{"KIND", 0}, {"WIDTH", 4}}, 0.1, waiting());
  add({{"KIND", 1}}, 0.08, without);
  EXPECT_EQ(bounds_of("bank_conflicts").size(), 1U);
}

TEST_F(Forecasts, DoNotTakeALongerTimeForFewerConflicts) {
  auto slow = waiting();
  slow["l1_utilization"] = 20;  // as many conflicts, which are hardly any of its time
  add({{"SQUARES", 0}}, 0.1, waiting());
  add({{"SQUARES", 1}}, 10, slow);
  EXPECT_TRUE(bounds_of("bank_conflicts").empty());
}

TEST_F(Forecasts, LeaveOutPairsWithOtherCauses) {
  auto without = waiting();
  without["bank_conflicts"] = 0;
  without["warp_execution_efficiency"] = 50;
  without["issue_slot_utilization"] = 55;
  add({{"SQUARES", 0}}, 0.1, waiting());
  add({{"SQUARES", 1}}, 0.12, without);
  EXPECT_TRUE(bounds_of("bank_conflicts").empty());
}

TEST_F(Forecasts, LeaveOutPairsWhoseWorkAnotherUnitTakes) {
  auto with = waiting();
  with["fma_pipe_utilization"] = 80;
  auto saved = waiting();
  saved["fma_pipe_utilization"] = 40;
  auto moved = saved;
  moved["l1_utilization"] = 95;
  add({{"WIDTH", 4}}, 0.1, with).facts.roof = Roof{true, 0.05, 0.5};
  add({{"WIDTH", 8}}, 0.1, saved);
  add({{"WIDTH", 16}}, 0.1, moved);
  const auto bounds = bounds_of("fma_bound");
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_EQ(bounds[0].without.text(), "WIDTH=8");
}

TEST_F(Forecasts, CompareSuggestedStepsWithTheirMeasuredNeighbours) {
  // Few blocks of a large tile: a smaller one is suggested.
  m_measured.problem = expand_problems(transpose(), {{"rows", {1024}}}).front();
  const Config large{{"KIND", 0},      {"TILE_R", 128}, {"TILE_C", 128},
                     {"THREADS", 256}, {"WIDTH", 16},   {"STAGES", 1},
                     {"SQUARES", 0},   {"STRIPS", 1},   {"BAND", 0}};
  Config small = large;
  small.set("TILE_R", 64);
  Subject& subject = add(large, 0.1, waiting());
  subject.facts.blocks = 64;
  subject.facts.waves = 64.0 / 264;
  subject.facts.idle_places = 0.5;
  add(small, 0.08, waiting());
  const std::vector<CheckedStep> steps = check_forecasts(m_measured).steps;
  ASSERT_EQ(steps.size(), 1U) << "only to what was measured";
  EXPECT_EQ(steps[0].rule, "few_waves");
  EXPECT_EQ(steps[0].to, small);
  EXPECT_NEAR(steps[0].saved, 0.2, 1e-9);
}

TEST_F(Forecasts, OfABoundHoldWithinTheNoise) {
  EXPECT_TRUE((CheckedBound{"", {}, {}, 0.10, 0.115}).holds());
  EXPECT_FALSE((CheckedBound{"", {}, {}, 0.10, 0.13}).holds());
}

TEST(RuleRecords, AddUpPairsAndSteps) {
  CheckedForecasts checked;
  checked.bounds = {{"spills", {}, {}, 0.2, 0.1},
                    {"spills", {}, {}, 0.4, 0.5},
                    {"divergence", {}, {}, 0.3, -0.1}};
  checked.steps = {{"spills", {}, {}, 0.05}, {"spills", {}, {}, -0.15}};
  const std::vector<RuleRecord> records = records_of(checked);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].rule, "divergence");
  EXPECT_EQ(records[0].faster, 0);
  EXPECT_EQ(records[0].steps, 0);
  const RuleRecord& spills = records[1];
  EXPECT_EQ(spills.pairs, 2);
  EXPECT_EQ(spills.held, 1);
  EXPECT_EQ(spills.faster, 2);
  EXPECT_NEAR(spills.bound, 0.3, 1e-12);
  EXPECT_NEAR(spills.saved, 0.3, 1e-12);
  EXPECT_EQ(spills.steps_faster, 1);
  EXPECT_NEAR(spills.step_saved, -0.05, 1e-12);
}

TEST(RuleRecords, SayNothingOfAFewPairs) {
  EXPECT_EQ(record_text({"spills", 9, 9, 9, 0.2, 0.1, 9, 9, 0.1}), "");
  EXPECT_EQ(record_text({"spills", 200, 190, 100, 0.2, -0.1, 0, 0, 0}),
            "on the measured pairs of docs/explain.md: of two configurations, the one without this "
            "was faster in 100 of 200, on average 10 % slower; the bound held in 190");
  EXPECT_EQ(record_text({"l2_bound", 200, 190, 100, 0.2, 0.1, 0, 0, 0}),
            "on the measured pairs of docs/explain.md: of two configurations, the one with "
            "less work for this unit was faster in 100 of 200, on average by 10 %");
}

TEST(RuleRecords, OfMeasurementsAreKnown) {
  const auto record = known_record("uncoalesced_loads");
  ASSERT_TRUE(record);
  EXPECT_GT(record->pairs, 0);
  EXPECT_FALSE(known_record("no_such_rule"));
}

TEST(RuleRecords, AreReadWithTheirCountsChecked) {
  const RuleRecord record{"spills", 200, 190, 100, 0.2, 0.1, 12, 7, 0.03};
  const nlohmann::json json = record;
  const auto read = json.get<RuleRecord>();
  EXPECT_EQ(read.rule, "spills");
  EXPECT_EQ(read.held, 190);
  EXPECT_EQ(read.steps_faster, 7);
  nlohmann::json wrong = json;
  wrong["held"] = 201;
  EXPECT_THROW(wrong.get<RuleRecord>(), std::invalid_argument);
  wrong["held"] = "many";
  EXPECT_THROW(wrong.get<RuleRecord>(), nlohmann::json::exception);
}

}  // namespace
}  // namespace gtune
