#include "space/search_space.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace gtune {
namespace {

/// A in {10, 20, 30} and B in {4, 2, 1}, without (20, 2).
SearchSpace small() {
  return {{{"A", {10, 20, 30}}, {"B", {4, 2, 1}}},
          {0, 0, 0, 1, 0, 2, 1, 0, 1, 2, 2, 0, 2, 1, 2, 2}};
}

TEST(SearchSpace, TurnsIndicesIntoConfigurationsAndBack) {
  const SearchSpace space = small();
  ASSERT_EQ(space.size(), 8U);
  EXPECT_EQ(space.config(4).text(), "A=20,B=1");
  for (std::size_t i = 0; i < space.size(); ++i) {
    EXPECT_EQ(space.index_of(space.config(i)), i);
    EXPECT_EQ(space.find(space.coordinates(i)), i);
  }
  EXPECT_EQ(space.index_of({{"B", 1}, {"A", 20}}), 4U);  // in any order
  EXPECT_FALSE(space.index_of({{"A", 20}, {"B", 2}}));
  EXPECT_FALSE(space.index_of({{"A", 20}, {"B", 3}}));
  EXPECT_FALSE(space.index_of({{"A", 20}}));
  EXPECT_FALSE(space.index_of({{"A", 20}, {"C", 1}}));
  EXPECT_FALSE(SearchSpace().index_of({{"A", 20}}));
}

TEST(SearchSpace, KnowsNeighbours) {
  const SearchSpace space = small();
  using Indices = std::vector<std::size_t>;
  // (20, 4): A goes to 10 or 30. B's adjacent value is not in the space, but the next one is.
  EXPECT_EQ(space.neighbours(3, Neighbourhood::adjacent), (Indices{0, 5}));
  EXPECT_EQ(space.neighbours(3, Neighbourhood::any), (Indices{0, 5, 4}));
  EXPECT_EQ(space.neighbours(0, Neighbourhood::adjacent), (Indices{3, 1}));
  EXPECT_EQ(space.neighbours(0, Neighbourhood::any), (Indices{3, 5, 1, 2}));
  EXPECT_EQ(space.neighbours(7, Neighbourhood::adjacent), (Indices{4, 6}));
}

TEST(SearchSpace, IsMadeOfJustTheseConfigurations) {
  const std::vector<Config> configs = {
      {{"A", 8}, {"B", 1}}, {{"B", 2}, {"A", 4}}, {{"A", 8}, {"B", 1}}};
  const SearchSpace space = SearchSpace::from_configs(configs);
  ASSERT_EQ(space.size(), 2U);
  EXPECT_EQ(space.config(0).text(), "A=8,B=1");
  EXPECT_EQ(space.config(1).text(), "A=4,B=2");
  EXPECT_EQ(space.dimensions()[0].values, (std::vector<std::int64_t>{4, 8}));
  EXPECT_EQ(SearchSpace::from_configs({}).size(), 0U);
  const std::vector<Config> different = {{{"A", 8}}, {{"B", 1}}};
  EXPECT_THROW((void)SearchSpace::from_configs(different), std::invalid_argument);
}

TEST(SearchSpace, RefusesWrongRows) {
  const std::vector<Dimension> dimensions = {{"A", {1, 2}}, {"B", {1, 2}}};
  EXPECT_THROW(SearchSpace(dimensions, {0, 0, 1}), std::invalid_argument);
  EXPECT_THROW(SearchSpace(dimensions, {0, 2}), std::invalid_argument);
  EXPECT_THROW(SearchSpace(dimensions, {0, 1, 0, 1}), std::invalid_argument);
}

TEST(SearchSpace, HoldsAMillionRows) {
  std::vector<Dimension> dimensions;
  for (char name = 'A'; name <= 'F'; ++name) {
    dimensions.push_back({std::string(1, name), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}});
  }
  std::vector<std::uint16_t> rows;
  for (int i = 0; i < 1'000'000; ++i) {
    for (int digit = 100'000; digit > 0; digit /= 10) {
      rows.push_back(static_cast<std::uint16_t>(i / digit % 10));
    }
  }
  const SearchSpace space(dimensions, std::move(rows));
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < space.size(); i += 7) ASSERT_EQ(space.find(space.coordinates(i)), i);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 2.0);  // a search through the rows would take hours
  EXPECT_EQ(space.neighbours(555'555, Neighbourhood::any).size(), 54U);
  EXPECT_EQ(space.neighbours(555'555, Neighbourhood::adjacent).size(), 12U);
}

}  // namespace
}  // namespace gtune
