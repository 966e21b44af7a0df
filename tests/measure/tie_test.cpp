#include "measure/tie.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>

namespace gtune {
namespace {

using Samples = std::vector<std::vector<double>>;

/// Finalists with these true times, sampled in turn. The device's speed drifts by 5 % over the run,
/// and samples vary by up to the fraction `noise`.
Samples interleaved(const std::vector<double>& times, int rounds, double noise, int seed) {
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  Samples samples(times.size());
  for (int round = 0; round < rounds; ++round) {
    const double drift = 1 + 0.05 * round / rounds;
    for (std::size_t f = 0; f < times.size(); ++f) {
      const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
      samples[f].push_back(times[f] * drift * (1 + noise * uniform));
    }
  }
  return samples;
}

TEST(Tie, RanksByMedian) {
  const Ranking ranking = rank_finalists({{3, 3, 3}, {1, 9, 1}, {2, 2, 2}});
  EXPECT_EQ(ranking.order, (std::vector<std::size_t>{1, 2, 0}));
}

TEST(Tie, EqualFinalistsTie) {
  int split = 0;
  for (int seed = 0; seed < 200; ++seed) {
    split += rank_finalists(interleaved({1, 1, 1}, 21, 0.02, seed)).tied.size() != 3;
  }
  // The same samples picked the fastest, so slightly more than 5 % are split.
  EXPECT_LE(split, 30);
}

TEST(Tie, OnePercentIsToldApartDespiteDrift) {
  for (int seed = 0; seed < 50; ++seed) {
    const Ranking ranking = rank_finalists(interleaved({1.01, 1.0, 1.02}, 21, 0.005, seed));
    EXPECT_EQ(ranking.order[0], 1U);
    EXPECT_EQ(ranking.tied, (std::vector<std::size_t>{1}));
  }
}

TEST(Tie, DifferencesBelowTheFloorAreNone) {
  const Ranking ranking = rank_finalists(interleaved({1.001, 1.0, 1.01}, 21, 0, 0));
  EXPECT_EQ(ranking.tied, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(rank_finalists(interleaved({1.001, 1.0}, 21, 0, 0), {.floor = 0}).tied.size(), 1U);
}

TEST(Tie, TiedNeedNotBeNextInOrder) {
  // The second wins by a hair in every round; the third is better in half of the rounds.
  const std::vector<double> third = {0.9, 1.2, 0.9, 1.2, 0.9, 1.2, 0.9, 1.2};
  const Ranking ranking =
      rank_finalists({std::vector<double>(8, 1.0), std::vector<double>(8, 1.01), third});
  EXPECT_EQ(ranking.order, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(ranking.tied, (std::vector<std::size_t>{0, 2}));
}

TEST(Tie, UnequalCountsUseTheCommonRounds) {
  const Ranking ranking = rank_finalists({{1, 1, 1, 9, 9, 9, 9}, {2, 2, 2}});
  EXPECT_EQ(ranking.order[0], 0U);
}

TEST(Tie, MoreRoundsSettleWhatAFewCannot) {
  const auto at = [](int rounds) {
    return rank_finalists(interleaved({1.0, 1.004, 1.0}, rounds, 0.02, 3));
  };
  EXPECT_FALSE(at(16).settled);
  EXPECT_EQ(at(16).tied.size(), 3U);
  EXPECT_TRUE(at(4000).settled);
  EXPECT_EQ(at(4000).tied.size(), 2U);
}

TEST(Tie, ATieThatMayBeAboveTheFloorIsNotSettled) {
  // In eleven rounds of twenty the second takes 0.5 % more: the interval is from 0 to 0.5 %.
  std::vector<double> second(20, 1.0);
  std::fill_n(second.begin(), 11, 1.005);
  const Ranking ranking = rank_finalists({std::vector<double>(20, 1.0), second});
  EXPECT_EQ(ranking.tied.size(), 2U);
  EXPECT_FALSE(ranking.settled);
  EXPECT_TRUE(rank_finalists({std::vector<double>(20, 0.0), std::vector<double>(20, 0.0)}).settled)
      << "a coarse timer";
}

TEST(Tie, OneFinalistTiesWithItself) {
  EXPECT_EQ(rank_finalists({{1.0}}).tied, (std::vector<std::size_t>{0}));
}

TEST(Tie, MissingSamplesAreRefused) {
  EXPECT_THROW((void)rank_finalists({}), std::invalid_argument);
  EXPECT_THROW((void)rank_finalists({{1.0}, {}}), std::invalid_argument);
}

}  // namespace
}  // namespace gtune
