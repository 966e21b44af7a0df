#include "answer/leave_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "answer/toy_spec.hpp"
#include "model/checked_json.hpp"
#include "spec/device_table.hpp"

namespace gtune {
namespace {

/// Problems in a row. A wave of up to ten blocks of A elements takes 4 + A us, so larger problems
/// have a larger best A. The time follows from the work.
class LeavingOut : public testing::Test {
 protected:
  LeavingOut() {
    DeviceFacts device = typical_device("sm_90");
    device.name = "One";
    device.sm_count = 10;
    for (std::int64_t i = 0; i < 40; ++i) {
      const Problem problem = {{"n", 20 + 10 * i}, {"kind", 0}};
      Winner best{{}, device, problem, {}, 1e9};
      for (std::int64_t a = 8; a <= 40; a += 8) {
        ConfigSpeed speed;
        speed.device = device;
        speed.problem = problem;
        speed.config = {{"A", a}};
        const std::int64_t waves = (((20 + 10 * i) + a - 1) / a + 9) / 10;
        speed.median_ms = static_cast<double>(waves * (4 + a)) * 1e-3;
        speeds.push_back(speed);
        if (speed.median_ms < best.median_ms) {
          best.config = speed.config;
          best.median_ms = speed.median_ms;
        }
      }
      winners.push_back(best);
    }
  }

  [[nodiscard]] LeaveOutReport report() const {
    return leave_out(winners, speeds, SizeRules(spec), 1);
  }

  KernelSpec spec = test::toy_spec("ceil_div(n, A) * A", "", "ceil_div(n, A)");
  std::vector<Winner> winners;
  std::vector<ConfigSpeed> speeds;
};

TEST_F(LeavingOut, KnowsWhatFollowsFromTheWork) {
  const LeaveOutReport all = report();
  ASSERT_EQ(all.each.size(), 40U);
  std::set<std::int64_t> answers;
  int losing = 0;
  for (const LeftOut& left : all.each) {
    ASSERT_TRUE(left.loss && left.answer);
    answers.insert(*left.answer->find("A"));
    losing += *left.loss > 0.02 ? 1 : 0;
  }
  EXPECT_GE(answers.size(), 4U);
  EXPECT_LE(losing, 2);
  ASSERT_EQ(all.errors.size(), 200U);
  EXPECT_LT(all.errors[180], 0.1);
  EXPECT_EQ(all.subsets, 100U);
  EXPECT_EQ(all.subset_losses.size(), 400U);
  EXPECT_EQ(all.unmeasured, 0U);
  const std::string text = json_of(leave_out_report(spec, all));
  const auto json = nlohmann::json::parse(text);
  EXPECT_LT(json["subsets"]["p90_loss"].get<double>(), 0.02);
  EXPECT_EQ(json["expected_time_errors"]["measured"], 200);
  std::reverse(winners.begin(), winners.end());  // another database may have another order
  EXPECT_EQ(json_of(leave_out_report(spec, report())), text);
}

/// Only a configuration measured there is chosen: the loss of any other is unknown.
TEST_F(LeavingOut, ChoosesAmongWhatWasMeasured) {
  const LeaveOutReport before = report();
  const Config chosen = *before.each[20].answer;
  const Problem there = before.each[20].winner.problem;
  std::erase_if(speeds, [&](const ConfigSpeed& speed) {
    return speed.problem == there && speed.config == chosen;
  });
  const LeaveOutReport after = report();
  EXPECT_FALSE(after.each[20].answer == chosen);
  EXPECT_TRUE(after.each[20].loss);
}

TEST(LossSummary, CountsWhatWasNotMeasuredAsLargest) {
  LeaveOutReport report;
  EXPECT_FALSE(report.summary().median || report.summary().worst);
  for (int i = 0; i <= 100; ++i) report.subset_losses.push_back(0.01 * i);
  report.unmeasured = 60;
  const LossSummary losses = report.summary();
  EXPECT_NEAR(*losses.median, 0.50, 1e-12);
  EXPECT_NEAR(*losses.mean, 0.50, 1e-12);
  EXPECT_NEAR(*losses.p90, 0.90, 1e-12);
  EXPECT_NEAR(*losses.p95, 0.95, 1e-12);
  EXPECT_NEAR(*losses.worst, 1.00, 1e-12);
  EXPECT_NEAR(*losses.median_at_most, 0.80, 1e-12);
  report.unmeasured = 200;  // the median is one of these
  EXPECT_FALSE(report.summary().median_at_most);
}

TEST_F(LeavingOut, SaysWhatWasNotMeasured) {
  std::erase_if(speeds,
                [&](const ConfigSpeed& speed) { return speed.problem == winners[9].problem; });
  const LeaveOutReport all = report();
  EXPECT_TRUE(all.each[9].answer);
  EXPECT_FALSE(all.each[9].loss);
  EXPECT_GT(all.unmeasured, 0U);
  EXPECT_NE(text_of(leave_out_report(spec, all)).find("not measured"), std::string::npos);
}

TEST_F(LeavingOut, OfOneProblemHasNoAnswer) {
  winners.resize(1);
  const LeaveOutReport one = report();
  ASSERT_EQ(one.each.size(), 1U);
  EXPECT_FALSE(one.each[0].answer);
  EXPECT_EQ(one.subsets, 0U);
}

}  // namespace
}  // namespace gtune
