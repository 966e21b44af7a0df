#include "report/energy_report.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

EnergyPoint point(std::int64_t id, double ms, double energy_mj) {
  EnergyPoint out;
  out.id = MeasurementId{id};
  out.ms = ms;
  out.use.energy_mj = energy_mj;
  return out;
}

std::vector<MeasurementId> front_of(const std::vector<EnergyPoint>& points) {
  std::vector<MeasurementId> ids;
  for (const EnergyPoint& each : pareto_front(points)) ids.push_back(each.id);
  return ids;
}

TEST(EnergyReport, TheFrontHasWhatNoOtherBeatsInBoth) {
  const auto ids = [](std::initializer_list<std::int64_t> numbers) {
    std::vector<MeasurementId> all;
    for (const std::int64_t number : numbers) all.push_back(MeasurementId{number});
    return all;
  };
  EXPECT_EQ(front_of({}), ids({}));
  EXPECT_EQ(front_of({point(1, 3, 10), point(2, 1, 30), point(3, 2, 20)}), ids({2, 3, 1}));
  EXPECT_EQ(front_of({point(1, 1, 10), point(2, 2, 20), point(3, 3, 5)}), ids({1, 3}));
  // Equal times or equal energies: the one that is better in the other.
  EXPECT_EQ(front_of({point(1, 1, 10), point(2, 1, 9), point(3, 2, 9)}), ids({2}));
}

TEST(EnergyReport, TheBestByAnObjectiveIsTheFasterOfTwo) {
  const std::vector<EnergyPoint> points = {point(1, 3, 10), point(2, 1, 32), point(3, 2, 10)};
  EXPECT_EQ(best_point(points, Objective::time)->id, MeasurementId{2});
  EXPECT_EQ(best_point(points, Objective::energy)->id, MeasurementId{3});
  EXPECT_EQ(best_point(points, Objective::edp)->id, MeasurementId{3});
  EXPECT_EQ(best_point({}, Objective::time), nullptr);
}

TEST(EnergyReport, TextsScaleTheUnits) {
  EXPECT_EQ(energy_text({1234.5, 372.25, 0, 0, 0}), "1.234 J a launch, 372 W");
  EXPECT_EQ(energy_text({0.0125, 95.5, 0, 0, 0}), "12.50 uJ a launch, 95.5 W");
}

}  // namespace
}  // namespace gtune
