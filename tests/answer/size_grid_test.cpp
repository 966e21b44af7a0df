#include "answer/size_grid.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "answer/sgemm_problems.hpp"

namespace gtune {
namespace {

using test::product;

class SizeGrids : public testing::Test {
 protected:
  /// All products of these sizes.
  [[nodiscard]] std::vector<Problem> products(const std::vector<std::int64_t>& m,
                                              const std::vector<std::int64_t>& n,
                                              const std::vector<std::int64_t>& k) const {
    std::vector<Problem> all;
    for (const auto a : m) {
      for (const auto b : n) {
        for (const auto c : k) all.push_back(product(spec, a, b, c));
      }
    }
    return all;
  }

  KernelSpec spec = test::spec_of_sgemm();
};

TEST_F(SizeGrids, AreOverTheSizesThatVaryByThemselves) {
  const SizeGrid grid(spec, products({1, 16, 16384}, {4, 1024}, {8, 64, 512}));
  EXPECT_EQ(grid.nodes(), 125U);  // not over the pitches, which follow
  EXPECT_EQ(grid.axes()[0].size, 0);
  EXPECT_EQ(grid.axes()[1].size, 1);
  EXPECT_EQ(grid.axes()[2].size, 2);
  EXPECT_DOUBLE_EQ(grid.axes()[0].first, 0);
  EXPECT_DOUBLE_EQ(grid.axes()[0].nodes_per_octave, 4.0 / 14);
  EXPECT_DOUBLE_EQ(grid.axes()[2].first, 3);
}

TEST_F(SizeGrids, LeaveOutWhatHardlyVariesOrFollows) {
  std::vector<Problem> problems;
  for (std::int64_t n = 1; n <= 16384; n += n) {
    for (const int times : {1, 3}) problems.push_back(product(spec, n * times, n * times, 1024));
  }
  const SizeGrid grid(spec, problems);
  EXPECT_EQ(grid.nodes(), 5U);
  EXPECT_EQ(grid.axes()[1].nodes_per_octave, 0);
}

TEST_F(SizeGrids, KnowTheSizesInACell) {
  const SizeGrid grid(spec, products({1, 16, 16384}, {4, 1024}, {8, 64, 512}));
  const std::size_t node = (1 * 5 + 3) * 5 + 2;
  for (const double along : {0.1, 0.5, 0.9}) {
    const auto sizes = grid.sizes_in_cell(node, {along, 1 - along, along});
    ASSERT_TRUE(sizes);
    const Problem there = product(spec, *sizes->find("M"), *sizes->find("N"), *sizes->find("K"));
    EXPECT_EQ(grid.spot(there).node[0], static_cast<int>(node)) << there.text();
  }
  EXPECT_EQ(grid.sizes_in_cell(0, {0, 0, 0}), NamedValues({{"K", 8}, {"N", 4}, {"M", 1}}));
  EXPECT_FALSE(grid.sizes_in_cell((1 * 5 + 4) * 5 + 2, {0, 0, 0})) << "the last node on N's axis";
  EXPECT_EQ(SizeGrid().sizes_in_cell(0, {0, 0, 0}), NamedValues());
}

TEST_F(SizeGrids, HaveOneNodeForAFewProblems) {
  const SizeGrid grid(spec, products({1, 16384}, {1, 16384}, {1, 2, 16384}));
  EXPECT_EQ(grid.nodes(), 1U);
  EXPECT_EQ(SizeGrid().nodes(), 1U);
  EXPECT_EQ(grid.nearness(product(spec, 8, 8, 8)), std::vector<double>{1});
  const gtune_spot spot = grid.spot(product(spec, 8, 8, 8));
  const std::int16_t twice = 1000;
  EXPECT_DOUBLE_EQ(gtune_factor(&spot, &twice), 2);
}

TEST_F(SizeGrids, AProblemAtANodeIsThere) {
  const SizeGrid grid(spec, products({1, 16, 65536}, {1, 16, 256}, {1, 16, 256}));
  const gtune_spot spot = grid.spot(product(spec, 16, 4, 256));
  double weight = 0;
  for (int i = 0; i < 4; ++i) {
    if (spot.weight[i] > 0) {
      EXPECT_EQ(spot.node[i], 1 * 25 + 1 * 5 + 4);
    }
    weight += spot.weight[i];
  }
  EXPECT_DOUBLE_EQ(weight, 1);
  const std::vector<double> nearness = grid.nearness(product(spec, 16, 4, 256));
  EXPECT_DOUBLE_EQ(nearness[34], 1);
  EXPECT_DOUBLE_EQ(nearness[33], 0.25);  // two octaves away
}

TEST_F(SizeGrids, BeyondThemCountsTheirBorder) {
  const SizeGrid grid(spec, products({16, 256, 4096}, {16, 256, 4096}, {16, 4096}));
  const auto last = [&](std::int64_t n) {
    const gtune_spot spot = grid.spot(product(spec, n, n, n));
    double weight = 0;
    for (int i = 0; i < 4; ++i) weight += spot.node[i] == 124 ? spot.weight[i] : 0;
    return weight;
  };
  EXPECT_DOUBLE_EQ(last(4096), 1);
  EXPECT_DOUBLE_EQ(last(16384), 1);
  EXPECT_DOUBLE_EQ(last(1), 0);
}

TEST_F(SizeGrids, InterpolateWhatIsLinearExactly) {
  const SizeGrid grid(spec, products({1, 16, 65536}, {1, 16, 65536}, {1, 16, 65536}));
  std::vector<std::int16_t> at(grid.nodes());
  for (int node = 0; node < 125; ++node) {
    at[static_cast<std::size_t>(node)] =
        static_cast<std::int16_t>(100 * (node / 25) + 20 * (node / 5 % 5) - 30 * (node % 5));
  }
  for (const auto& [m, n, k] :
       {std::array<std::int64_t, 3>{3, 700, 65535}, {48, 24, 6}, {1, 2, 3}}) {
    const gtune_spot spot = grid.spot(product(spec, m, n, k));
    const double along = 25 * gtune_octave(m) + 5 * gtune_octave(n) - 7.5 * gtune_octave(k);
    EXPECT_NEAR(gtune_factor(&spot, at.data()), 1 + along / 1000, 1e-12) << m;
  }
}

TEST(Corrections, AreWhatWasMeasuredNearby) {
  Corrections corrections(3);
  for (int i = 0; i < 99; ++i) corrections.add({1, 0.01, 0}, 1.5, 1);
  const NodeFactors factors = corrections.factors();
  ASSERT_EQ(factors.expected.size(), 3U);
  EXPECT_NEAR(factors.expected[0], 1000 * (std::pow(1.5, 0.99) - 1), 1);
  EXPECT_GT(factors.expected[1], 100);  // half believed
  EXPECT_LT(factors.expected[1], 300);
  EXPECT_EQ(factors.expected[2], 0);
}

TEST(Corrections, AreDoubtedWhereLittleWasMeasured) {
  Corrections corrections(3);
  for (int i = 0; i < 9; ++i) corrections.add({1, 1.0 / 9, 0}, 2, 2);
  const NodeFactors factors = corrections.factors();
  EXPECT_EQ(factors.expected, (std::vector<std::int16_t>{0, 0, 0}));
  EXPECT_EQ(factors.compared, (std::vector<std::int16_t>{60, 180, 330}));
}

TEST(Corrections, AreDoubtedMoreWhereALaunchWasMeasuredOnlyOnce) {
  Corrections once(2);
  once.add({1, 0}, 2, 2);
  Corrections elsewhere(2);
  for (int i = 0; i < 9; ++i) elsewhere.add({0, 1}, 2, 2);
  EXPECT_EQ(once.factors().compared[0], 150 + 150);
  EXPECT_EQ(once.factors().compared[1], 300 + 150);
  EXPECT_EQ(elsewhere.factors().compared[0], 300 + 30);
}

TEST(Corrections, StayWithinTenTimes) {
  Corrections corrections(1);
  for (int i = 0; i < 999; ++i) corrections.add({1}, 1e9, 1);
  EXPECT_EQ(corrections.factors().expected, (std::vector<std::int16_t>{9000}));
  EXPECT_EQ(corrections.factors().compared, (std::vector<std::int16_t>{9000}));
}

}  // namespace
}  // namespace gtune
