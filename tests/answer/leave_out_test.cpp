#include "answer/leave_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "answer/toy_spec.hpp"
#include "model/checked_json.hpp"
#include "spec/device_table.hpp"

namespace gtune {
namespace {

/// Problems in a row; the best A steps from 1 to 4 along it, and A off by one costs 4 %.
class LeavingOut : public testing::Test {
 protected:
  LeavingOut() {
    DeviceFacts device = typical_device("sm_90");
    device.name = "One";
    for (std::int64_t i = 0; i < 40; ++i) {
      for (std::int64_t a = 1; a <= 4; ++a) {
        ConfigSpeed speed;
        speed.device = device;
        speed.problem = {{"n", 1000 + 100 * i}};
        speed.config = {{"A", a}};
        const std::int64_t best = 1 + i / 10;
        speed.median_ms = 1 + 0.04 * static_cast<double>(std::abs(a - best));
        speeds.push_back(speed);
        if (a == best) winners.push_back({{}, speed.device, speed.problem, speed.config, 1});
      }
    }
  }

  [[nodiscard]] LeaveOutReport report() const {
    return leave_out(winners, MeasuredTimes(speeds), SizeRules(spec), 1);
  }

  KernelSpec spec = test::toy_spec();
  std::vector<Winner> winners;
  std::vector<ConfigSpeed> speeds;
};

TEST_F(LeavingOut, LosesOnlyWhereTheBestChanges) {
  const LeaveOutReport all = report();
  ASSERT_EQ(all.each.size(), 40U);
  int losing = 0;
  for (const LeftOut& left : all.each) {
    ASSERT_TRUE(left.loss && left.answer);
    EXPECT_NE(left.answer->problem, left.winner.problem);
    if (*left.loss > 0) ++losing;
  }
  EXPECT_EQ(losing, 3);  // below each step the next larger size is nearer, by its logarithm
  EXPECT_NEAR(*all.each[9].loss, 0.04, 1e-12);
  EXPECT_EQ(all.subsets, 100U);
  EXPECT_EQ(all.subset_losses.size(), 400U);
  EXPECT_EQ(all.unmeasured, 0U);
  const KernelSpec toy;
  const std::string text = json_of(leave_out_report(toy, all));
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["subsets"]["median_loss"], 0);
  EXPECT_NEAR(json["subsets"]["p95_loss"].get<double>(), 0.04, 1e-9);
  std::reverse(winners.begin(), winners.end());  // as another database may have them
  EXPECT_EQ(json_of(leave_out_report(toy, report())), text);
}

// Of a size that the nearest one's best does not divide, another's answers.
TEST_F(LeavingOut, CountsPaddedWork) {
  spec = test::toy_spec("A == 2 ? 1 : 1000000000 / n");  // others grow, where the nearest is larger
  const LeaveOutReport all = report();
  EXPECT_EQ(all.each[5].answer->config, (Config{{"A", 2}}));
  EXPECT_NEAR(*all.each[5].loss, 0.04, 1e-12);
  EXPECT_EQ(all.each[15].loss, 0.0);
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
  report.unmeasured = 200;  // it is one of these
  EXPECT_FALSE(report.summary().median_at_most);
}

TEST_F(LeavingOut, SaysWhatWasNotMeasured) {
  speeds.clear();
  const LeaveOutReport all = report();
  EXPECT_FALSE(all.each[9].loss);
  EXPECT_EQ(all.each[0].loss, 0.0);  // the same configuration won
  EXPECT_GT(all.unmeasured, 0U);
  EXPECT_NE(text_of(leave_out_report(KernelSpec(), all)).find("not measured"), std::string::npos);
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
