#include "search/nearest_unasked.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace gtune {
namespace {

/// A grid of 9 x 5, without the rows with equal coordinates.
SearchSpace holed_grid() {
  std::vector<std::uint16_t> rows;
  for (std::uint16_t x = 0; x < 9; ++x) {
    for (std::uint16_t y = 0; y < 5; ++y) {
      if (x != y) rows.insert(rows.end(), {x, y});
    }
  }
  return {{{"X", {1, 2, 3, 4, 5, 6, 7, 8, 9}}, {"Y", {1, 2, 4, 8, 16}}}, std::move(rows)};
}

TEST(NearestUnasked, IsThePlaceItselfWhereThatCanBeHad) {
  const SearchSpace space = holed_grid();
  const Unasked unasked(space.size());
  Random random(1);
  for (std::size_t i = 0; i < space.size(); ++i) {
    EXPECT_EQ(nearest_unasked(space, unasked, space.coordinates(i), random), i);
  }
}

TEST(NearestUnasked, IsAsNearAsAnyThatIsLeft) {
  const SearchSpace space = holed_grid();
  Unasked unasked(space.size());
  Random random(2);
  std::set<std::size_t> given;
  const std::vector<std::uint16_t> hole = {3, 3};
  double last = 0;
  while (!unasked.empty()) {
    const std::size_t index = nearest_unasked(space, unasked, hole, random);
    ASSERT_TRUE(given.insert(index).second);
    unasked.take(index);
    const double apart = distance(space, hole, space.coordinates(index));
    EXPECT_GE(apart, last);
    last = apart;
  }
  EXPECT_EQ(given.size(), space.size());
}

TEST(NearestUnasked, PlacesOutsideOfTheListsAreMovedIn) {
  const SearchSpace space = holed_grid();
  const Unasked unasked(space.size());
  Random random(3);
  const std::vector<double> outside = {99, -7};
  const auto row = space.coordinates(nearest_unasked(space, unasked, outside, random));
  EXPECT_EQ(row[0], 8);
  EXPECT_EQ(row[1], 0);
}

TEST(NearestUnasked, NeighboursDifferInOneParameterAndAreUnasked) {
  const SearchSpace space = holed_grid();
  Unasked unasked(space.size());
  Random random(4);
  std::size_t given = 0;
  while (const auto index = random_unasked_neighbour(space, unasked, 0, random)) {
    const auto row = space.coordinates(*index);
    EXPECT_EQ((row[0] != space.coordinates(0)[0]) + (row[1] != space.coordinates(0)[1]), 1);
    ASSERT_TRUE(unasked.contains(*index));
    unasked.take(*index);
    ++given;
  }
  EXPECT_EQ(given, space.neighbours(0, Neighbourhood::any).size());
}

}  // namespace
}  // namespace gtune
