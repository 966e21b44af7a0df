#include "space/enumeration_walk.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "space/enumeration.hpp"
#include "spec/scope.hpp"

namespace gtune {
namespace {

/// Three parameters, A, B and C, whose slots are the only ones.
class EnumerationWalks : public testing::Test {
 protected:
  void require(const std::string& condition) {
    Scope scope;
    for (const Dimension& dimension : m_dimensions) scope.add_slot(dimension.name);
    m_graph.add(Expression::parse(condition, scope), 0);
  }
  [[nodiscard]] std::vector<Level> plan(ParameterOrder order) const {
    return plan_enumeration(m_graph, m_dimensions, 0, std::move(order));
  }
  [[nodiscard]] EnumerationWalk walk(const std::vector<Level>& levels) const {
    return {m_graph, levels, m_dimensions, m_slots, 1};
  }

  const std::vector<Dimension> m_dimensions = {
      {"A", {1, 2, 3, 4}}, {"B", {1, 2, 3, 4, 5}}, {"C", {1, 2, 3, 4, 5, 6}}};
  const std::vector<Interval> m_slots = {{1, 4}, {1, 5}, {1, 6}};
  ConstraintGraph m_graph;
};

TEST_F(EnumerationWalks, EstimateTheirTries) {
  const auto levels = plan({0, 1, 2});
  EXPECT_EQ(walk(levels).estimated_tries(), 4 + 4 * 5 + 4 * 5 * 6);
  require("A == 2");
  const auto first = plan({0, 1, 2});
  EXPECT_EQ(walk(first).estimated_tries(), 4 + 5 + 5 * 6);
  const auto last = plan({2, 1, 0});
  EXPECT_EQ(walk(last).estimated_tries(), 6 + 6 * 5 + 6 * 5 * 4);
}

TEST_F(EnumerationWalks, FindTheSameInAnyOrder) {
  require("A * B == C");
  const auto first = plan({0, 1, 2});
  const auto last = plan({2, 0, 1});
  const WalkResult one = walk(first).run();
  const WalkResult other = walk(last).run();
  EXPECT_EQ(one.valid.size(), 11U);
  EXPECT_EQ(one.valid, other.valid);
  EXPECT_EQ(one.excluded, other.excluded);
}

TEST_F(EnumerationWalks, AnEstimateChangesNothing) {
  require("A + B <= C");
  const auto levels = plan({0, 1, 2});
  EnumerationWalk estimated = walk(levels);
  EXPECT_GT(estimated.estimated_tries(), 4);
  EXPECT_EQ(estimated.run().valid, walk(levels).run().valid);
}

TEST_F(EnumerationWalks, OrdersAreByConditionsAndAsListed) {
  require("B == 2 * C");
  const auto [by_conditions, listed] = possible_orders(m_graph, m_dimensions, 0);
  EXPECT_EQ(by_conditions, (ParameterOrder{1, 2, 0}));
  EXPECT_EQ(listed, (ParameterOrder{0, 1, 2}));
}

}  // namespace
}  // namespace gtune
