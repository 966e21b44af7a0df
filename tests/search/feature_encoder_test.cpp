#include "search/feature_encoder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gtune {
namespace {

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

TEST(FeatureEncoder, AmountsHaveAnOrderAndVariantsHaveNone) {
  const SearchSpace amounts({{"TILE", {8, 16, 64}}}, {0, 1, 2});
  const FeatureEncoder ordered(amounts);
  EXPECT_DOUBLE_EQ(squared_distance(ordered.encode(0), ordered.encode(2)), 1);
  EXPECT_DOUBLE_EQ(squared_distance(ordered.encode(0), ordered.encode(1)), 0.25);

  const SearchSpace variants({{"METHOD", {0, 1, 2}}}, {0, 1, 2});
  const FeatureEncoder unordered(variants);
  EXPECT_DOUBLE_EQ(squared_distance(unordered.encode(0), unordered.encode(2)), 1);
  EXPECT_DOUBLE_EQ(squared_distance(unordered.encode(0), unordered.encode(1)), 1);
  EXPECT_EQ(unordered.groups(), (std::vector<std::size_t>{0, 0, 0}));
}

TEST(FeatureEncoder, LeavesOutWhatDoesNotVary) {
  const SearchSpace space({{"A", {4}}, {"B", {0, 1}}, {"C", {1, 2, 4}}}, {0, 1, 2});
  const FeatureEncoder encoder(space);
  EXPECT_EQ(encoder.varying_dimensions(), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(encoder.encode(0), (std::vector<double>{1, 1}));
}

TEST(FeatureEncoder, HowOftenTwoDividesAValueIsAColumnWithItsOwnScale) {
  const SearchSpace space({{"BLOCK", {16, 48, 64}}, {"UNROLL", {1, 2}}}, {0, 0, 1, 0, 2, 1});
  const FeatureEncoder encoder(space);
  EXPECT_EQ(encoder.encode(0), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(encoder.encode(1), (std::vector<double>{0.5, 0, 0}));
  EXPECT_EQ(encoder.encode(2), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(encoder.groups(), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(encoder.group_count(), 3U);
  EXPECT_EQ(encoder.varying_dimensions(), (std::vector<std::size_t>{0, 1}));
}

TEST(FeatureEncoder, ZeroCountsAsTheMostDivisible) {
  const SearchSpace space({{"PAD", {0, 3, 6, 8}}}, {0, 1, 2, 3});
  const FeatureEncoder encoder(space);
  const auto divisibility = [&](std::size_t index) { return encoder.encode(index)[1]; };
  EXPECT_DOUBLE_EQ(divisibility(0), 1);
  EXPECT_DOUBLE_EQ(divisibility(1), 0);
  EXPECT_DOUBLE_EQ(divisibility(2), 1.0 / 3);
  EXPECT_DOUBLE_EQ(divisibility(3), 1);
}

TEST(FeatureEncoder, ThePositionSufficesForPowersOfTwoAndEquallyDivisibleValues) {
  for (const std::vector<std::int64_t>& values :
       {std::vector<std::int64_t>{0, 1, 2, 4}, {8, 16, 64}, {3, 5, 7}, {-1, 0, 1}, {2, 24}}) {
    const SearchSpace space({{"P", values}}, {0, 1});
    EXPECT_EQ(FeatureEncoder(space).group_count(), 1U) << values.front();
  }
}

/// Of a launch of TILE x TILE elements in a problem of 1024: blocks, and warps that never differ.
std::vector<double> blocks_and_warps(const Config& config) {
  return {std::log2(1024.0 / static_cast<double>(*config.find("TILE"))), 5};
}

TEST(FeatureEncoder, AmountsOfAConfigurationAreColumnsScaledByTheirRange) {
  const SearchSpace space({{"TILE", {8, 16, 64}}}, {0, 1, 2});
  const FeatureEncoder encoder(space, blocks_and_warps);
  EXPECT_EQ(encoder.encode(0), (std::vector<double>{0, 1}));
  EXPECT_EQ(encoder.encode(1), (std::vector<double>{0.5, 2.0 / 3}));
  EXPECT_EQ(encoder.encode(2), (std::vector<double>{1, 0}));
  EXPECT_EQ(encoder.groups(), (std::vector<std::size_t>{0, 1})) << "the warps do not differ";
}

TEST(FeatureEncoder, AsksForAmountsOfEachConfigurationOnce) {
  const SearchSpace space({{"TILE", {8, 16, 64}}}, {0, 1, 2});
  int asked = 0;
  const FeatureEncoder encoder(space, [&](const Config& config) {
    ++asked;
    return blocks_and_warps(config);
  });
  const int for_ranges = asked;
  for (int i = 0; i < 4; ++i) (void)encoder.encode(1);
  EXPECT_EQ(asked, for_ranges + 1);
}

}  // namespace
}  // namespace gtune
