#include "search/gaussian_process.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gtune {
namespace {

struct Data {
  std::vector<std::vector<double>> points;
  std::vector<double> targets;
};

/// Depends only on the first of two columns.
double truth(const std::vector<double>& point) { return 3 + std::sin(5 * point[0]); }

Data samples(int count, Random& random) {
  Data data;
  for (int i = 0; i < count; ++i) {
    data.points.push_back({random.unit(), random.unit()});
    data.targets.push_back(truth(data.points.back()));
  }
  return data;
}

double mean_error(const GaussianProcess& process, Random& random) {
  double sum = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> point = {random.unit(), random.unit()};
    sum += std::abs(process.predict(point).mean - truth(point));
  }
  return sum / 200;
}

TEST(GaussianProcess, LearnsAFunctionAndWhichColumnsMatter) {
  Random random(1);
  GaussianProcess process({0, 1}, 2);
  const Data data = samples(25, random);
  process.fit(data.points, data.targets);
  const double before = mean_error(process, random);
  process.learn_scales(100, random);
  const double after = mean_error(process, random);
  EXPECT_LT(before, 0.2);
  EXPECT_LT(after, before / 2);
}

TEST(GaussianProcess, IsSureAtItsPointsAndUnsureFarAway) {
  GaussianProcess process({0}, 1);
  process.fit({{0.0}, {0.1}, {0.2}}, {1, 2, 3});
  EXPECT_NEAR(process.predict(std::vector{0.1}).mean, 2, 0.1);
  EXPECT_LT(process.predict(std::vector{0.1}).deviation, 0.1);
  EXPECT_GT(process.predict(std::vector{5.0}).deviation, 0.5);
  EXPECT_NEAR(process.predict(std::vector{50.0}).mean, 2, 1e-6);
}

TEST(GaussianProcess, EqualTargetsAndRepeatedPoints) {
  Random random(1);
  GaussianProcess process({0}, 1);
  process.fit({{0.5}, {0.5}, {0.5}}, {2, 2, 2});
  process.learn_scales(20, random);
  const Prediction prediction = process.predict(std::vector{0.5});
  EXPECT_NEAR(prediction.mean, 2, 1e-6);
  EXPECT_TRUE(std::isfinite(prediction.deviation));
}

}  // namespace
}  // namespace gtune
