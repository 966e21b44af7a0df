#include "explain/parameter_effects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace gtune {
namespace {

ConfigSpeed speed(std::int64_t n, Config config, double ms) {
  ConfigSpeed out;
  out.device.name = "One";
  out.problem = {{"n", n}};
  out.config = std::move(config);
  out.median_ms = ms;
  return out;
}

/// A = 2 doubles the time, B = 2 adds a tenth, and both together cost more than their product.
std::vector<ConfigSpeed> four(std::int64_t n, double ms) {
  return {speed(n, {{"A", 1}, {"B", 1}}, ms), speed(n, {{"A", 2}, {"B", 1}}, 2 * ms),
          speed(n, {{"A", 1}, {"B", 2}}, 1.1 * ms), speed(n, {{"A", 2}, {"B", 2}}, 3 * ms)};
}

TEST(ParameterEffects, AreTheBestTimesWithEachValue) {
  const auto found = find_effects(four(7, 0.5));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].configurations, 4U);
  EXPECT_EQ(found[0].best.config.text(), "A=1,B=1");
  ASSERT_EQ(found[0].parameters.size(), 2U);
  EXPECT_EQ(found[0].parameters[0].name, "A");  // the one that matters more
  EXPECT_EQ(found[0].parameters[0].values[0].value, 1);
  EXPECT_DOUBLE_EQ(found[0].parameters[0].values[0].cost, 0);
  EXPECT_DOUBLE_EQ(found[0].parameters[0].values[1].cost, 1);
  EXPECT_NEAR(found[0].parameters[1].values[1].cost, 0.1, 1e-12);
}

TEST(ParameterEffects, AreOfTheFastestGpuOfAModel) {
  std::vector<ConfigSpeed> speeds = four(7, 0.5);
  for (const double ms : {0.6, 0.4}) {
    speeds.push_back(speed(7, {{"A", 1}, {"B", 1}}, ms));
    speeds.back().device.uuid = "another of the model";
  }
  speeds.push_back(speed(7, {{"A", 1}, {"B", 1}}, 0.7));
  const auto found = find_effects(speeds);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].configurations, 4U);
  EXPECT_EQ(found[0].best.median_ms, 0.4);
}

TEST(ParameterEffects, NameValuesThatDoNotGoTogether) {
  const auto found = find_effects(four(7, 0.5));
  ASSERT_EQ(found[0].interactions.size(), 1U);
  const Interaction& pair = found[0].interactions[0];
  EXPECT_EQ(pair.first_value, 2);
  EXPECT_EQ(pair.second_value, 2);
  EXPECT_DOUBLE_EQ(pair.cost, 2);
  EXPECT_DOUBLE_EQ(pair.alone, 1);
}

/// With a single configuration of both values, a third one may be the cause.
TEST(ParameterEffects, NameValuesThatDoNotGoTogetherIfSeveralConfigurationsHaveBoth) {
  auto speeds = four(7, 0.5);
  for (ConfigSpeed& each : speeds) each.config.set("C", 1);
  const Config both = speeds[3].config;
  const auto add_third = [&](std::int64_t value, double ms) {
    Config other = both;
    other.set("C", value);
    speeds.push_back(speed(7, other, ms));
  };
  add_third(2, 1.6);
  EXPECT_TRUE(find_effects(speeds)[0].interactions.empty());
  add_third(3, 1.7);
  const auto found = find_effects(speeds);
  ASSERT_FALSE(found[0].interactions.empty());
  EXPECT_EQ(found[0].interactions[0].first, "A");
  EXPECT_EQ(found[0].interactions[0].second, "B");
  const auto& parameters = found[0].parameters;
  const auto a = std::find_if(parameters.begin(), parameters.end(),
                              [](const ParameterEffect& each) { return each.name == "A"; });
  EXPECT_EQ(a->values[1].value, 2);
  EXPECT_EQ(a->values[1].configurations, 4U);
}

TEST(ParameterEffects, TakeTheLastMeasurementOfAConfiguration) {
  auto speeds = four(7, 0.5);
  speeds.push_back(speed(7, {{"A", 1}, {"B", 1}}, 0.75));
  const auto found = find_effects(speeds);
  EXPECT_EQ(found[0].configurations, 4U);
  EXPECT_EQ(found[0].best.config.text(), "A=1,B=2");
}

TEST(ParameterEffects, CombineByTheGeometricMeanOfWhatWasMeasured) {
  auto speeds = four(7, 0.5);
  speeds.push_back(speed(8, {{"A", 2}, {"B", 1}}, 4));
  speeds.push_back(speed(8, {{"A", 1}, {"B", 1}}, 5));
  const auto found = find_effects(speeds);
  ASSERT_EQ(found.size(), 2U);
  const auto all = combine(found);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "A");
  EXPECT_NEAR(all[0].values[0].cost, std::sqrt(1.25) - 1, 1e-12);  // A=1: 0 and 25 %
  EXPECT_NEAR(all[0].values[1].cost, std::sqrt(2.0) - 1, 1e-12);   // A=2: 100 % and 0
  EXPECT_EQ(all[0].values[1].problems, 2U);
  EXPECT_EQ(all[1].values[1].value, 2);
  EXPECT_EQ(all[1].values[1].problems, 1U);  // B=2 was not measured on the second
}

}  // namespace
}  // namespace gtune
