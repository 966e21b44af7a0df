#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>
#include <string>

#include "model/error.hpp"
#include "search/random.hpp"
#include "search/strategy.hpp"

namespace gtune {
namespace {

/// A grid with a hole: rows whose coordinates add up to `hole` are missing.
SearchSpace grid(const std::vector<std::vector<std::int64_t>>& values, int hole = -1) {
  std::vector<Dimension> dimensions;
  for (const auto& list : values) {
    dimensions.push_back({"P" + std::to_string(dimensions.size()), list});
  }
  std::vector<std::uint16_t> rows;
  std::vector<std::uint16_t> row(values.size(), 0);
  while (true) {
    int sum = 0;
    for (const auto coordinate : row) sum += coordinate;
    if (sum != hole) rows.insert(rows.end(), row.begin(), row.end());
    std::size_t d = 0;
    while (d < row.size() && ++row[d] == values[d].size()) row[d++] = 0;
    if (d == row.size()) break;
  }
  return {std::move(dimensions), std::move(rows)};
}

const std::vector<std::int64_t> tiles = {8, 16, 32, 64, 128, 256};

/// Costs like those of kernels: parameters that depend on each other, a variant that is better than
/// the others, a cliff, and configurations that do not run.
std::optional<double> cost_of(const SearchSpace& space, std::size_t index) {
  const auto at = space.coordinates(index);
  const double shape = std::abs(at[0] + at[1] - 6.0) + 0.5 * std::abs(at[0] - at[1] - 0.0);
  const double variant = at[3] == 2 ? 0 : 0.6;
  const double cliff = at[2] > 3 ? 1.0 : 0.1 * (3 - at[2]);
  if (at[0] + at[1] + at[2] > 12) return std::nullopt;
  return 1 + shape + variant + cliff;
}

SearchSpace kernel_space() { return grid({tiles, tiles, tiles, {0, 1, 2, 3}, {0, 1}}); }

/// Asks for the whole space and tells in random order, with up to `ahead` outstanding.
std::vector<std::size_t> drive(Strategy& strategy, const SearchSpace& space, std::size_t ahead,
                               std::uint64_t seed, double failures) {
  Random random(seed);
  std::vector<std::size_t> asked;
  std::vector<std::size_t> outstanding;
  for (bool more = true; more || !outstanding.empty();) {
    while (more && outstanding.size() < 1 + random.below(ahead)) {
      const auto index = strategy.ask();
      if (!(more = index.has_value())) break;
      asked.push_back(*index);
      outstanding.push_back(*index);
    }
    if (outstanding.empty()) continue;
    const std::size_t which = random.below(outstanding.size());
    const std::size_t index = outstanding[which];
    outstanding.erase(outstanding.begin() + static_cast<std::ptrdiff_t>(which));
    const bool failed = random.unit() < failures;
    const double cost = 1 + static_cast<double>(index % 7);
    strategy.tell(index, failed ? std::nullopt : std::optional(cost));
    EXPECT_LE(asked.size(), space.size());
    if (asked.size() > space.size()) break;
  }
  return asked;
}

class EveryStrategy : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryStrategy, GivesEachConfigurationOnce) {
  const SearchSpace space = grid({{1, 2, 4, 8}, {16, 32, 64, 128}, {0, 1, 2}, {0, 1}, {7}}, 5);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (const double failures : {0.0, 0.3, 0.95}) {
      const auto strategy = make_strategy(GetParam(), space, seed);
      const auto asked = drive(*strategy, space, seed % 2 == 0 ? 1 : 64, seed, failures);
      EXPECT_EQ(asked.size(), space.size());
      EXPECT_EQ(std::set(asked.begin(), asked.end()).size(), space.size());
      EXPECT_EQ(strategy->ask(), std::nullopt);
    }
  }
}

TEST_P(EveryStrategy, DoesNotGiveWhatWasTaken) {
  const SearchSpace space = grid({tiles, tiles, {1, 2, 3}});
  for (const bool told_early : {true, false}) {
    const auto strategy = make_strategy(GetParam(), space, 5);
    const std::set<std::size_t> taken = {0, 7, 31, space.size() - 1};
    for (const std::size_t index : taken) {
      strategy->take(index);
      if (told_early) strategy->tell(index, 1.0 + static_cast<double>(index));
    }
    const auto asked = drive(*strategy, space, 8, 1, 0.1);
    EXPECT_EQ(asked.size(), space.size() - taken.size());
    for (const std::size_t index : asked) EXPECT_FALSE(taken.contains(index));
  }
}

TEST_P(EveryStrategy, IsDeterminedByItsSeed) {
  const SearchSpace space = kernel_space();
  const auto first_asks = [&](std::uint64_t seed) {
    const auto strategy = make_strategy(GetParam(), space, seed);
    std::vector<std::size_t> asked;
    for (int i = 0; i < 80; ++i) {
      asked.push_back(strategy->ask().value());
      if (i >= 8) strategy->tell(asked[asked.size() - 8], cost_of(space, asked[asked.size() - 8]));
    }
    return asked;
  };
  EXPECT_EQ(first_asks(3), first_asks(3));
  EXPECT_NE(first_asks(3), first_asks(4));
}

TEST_P(EveryStrategy, SurvivesASpaceWhereNothingRuns) {
  const SearchSpace space = grid({tiles, tiles, {1, 2, 3}});
  const auto strategy = make_strategy(GetParam(), space, 1);
  EXPECT_EQ(drive(*strategy, space, 8, 1, 1.0).size(), space.size());
}

TEST_P(EveryStrategy, SurvivesEqualAndUselessCosts) {
  const SearchSpace space = grid({tiles, tiles});
  for (const double cost : {1.0, 0.0, -1.0, HUGE_VAL, std::nan("")}) {
    const auto strategy = make_strategy(GetParam(), space, 1);
    std::set<std::size_t> asked;
    while (const auto index = strategy->ask()) {
      asked.insert(*index);
      strategy->tell(*index, cost);
    }
    EXPECT_EQ(asked.size(), space.size()) << cost;
  }
}

TEST_P(EveryStrategy, TinySpaces) {
  for (const auto& values : {std::vector<std::int64_t>{5}, std::vector<std::int64_t>{5, 6}}) {
    const SearchSpace space = grid({values});
    const auto strategy = make_strategy(GetParam(), space, 9);
    EXPECT_EQ(drive(*strategy, space, 4, 1, 0).size(), values.size());
  }
  const SearchSpace empty({{"P", {1}}}, {});
  EXPECT_EQ(make_strategy(GetParam(), empty, 1)->ask(), std::nullopt);
}

TEST_P(EveryStrategy, HasItsNameAndHelp) {
  const SearchSpace space = grid({{1}});
  EXPECT_EQ(make_strategy(GetParam(), space, 0)->name(), GetParam());
  const auto& all = strategies();
  const auto info = std::find_if(all.begin(), all.end(),
                                 [](const StrategyInfo& i) { return i.name == GetParam(); });
  ASSERT_NE(info, all.end());
  EXPECT_FALSE(info->help.empty());
}

TEST_P(EveryStrategy, IsDescribedInSearchMd) {
  std::ifstream file(std::string(GTUNE_SOURCE_DIR) + "/docs/search.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t table = text.find("## What each does");
  ASSERT_NE(table, std::string::npos);
  EXPECT_NE(text.find("| `" + std::string(GetParam()) + "` |", table), std::string::npos);
}

std::string without_hyphens(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names;
  for (const StrategyInfo& info : strategies()) names.push_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, testing::ValuesIn(all_names()),
                         [](const auto& test) { return without_hyphens(test.param); });

TEST(Strategies, UnknownNamesAreRefusedWithTheKnownOnes) {
  const SearchSpace space = grid({{1}});
  try {
    (void)make_strategy("anealing", space, 0);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    const std::string line = error.what();
    EXPECT_NE(line.find("anealing"), std::string::npos);
    for (const auto name : all_names()) EXPECT_NE(line.find(name), std::string::npos) << name;
  }
}

TEST(Strategies, TheDefaultExists) {
  EXPECT_NO_THROW((void)make_strategy(default_strategy, grid({{1}}), 0));
}

TEST(ExhaustiveStrategy, AnInterruptedRunHasSeenAllRegions) {
  std::vector<std::int64_t> values(1000);
  std::iota(values.begin(), values.end(), 1);
  const SearchSpace space = grid({values});
  const auto strategy = make_strategy("exhaustive", space, 5);
  std::set<std::size_t> regions;
  for (int i = 0; i < 40; ++i) regions.insert(*strategy->ask() / 50);
  EXPECT_EQ(regions.size(), 20U);
}

/// The number of asks until a cost of at most `goal` is told, with `ahead` outstanding.
std::size_t asks_until(std::string_view name, const SearchSpace& space, double goal,
                       std::size_t ahead, std::uint64_t seed) {
  const auto strategy = make_strategy(name, space, seed);
  std::vector<std::size_t> queue;
  for (std::size_t next = 0; next < space.size(); ++next) {
    while (queue.size() < next + ahead) {
      const auto index = strategy->ask();
      if (!index) break;
      queue.push_back(*index);
    }
    const auto cost = cost_of(space, queue[next]);
    if (cost && *cost <= goal) return next + 1;
    strategy->tell(queue[next], cost);
  }
  return space.size();
}

std::size_t typical_asks(std::string_view name, std::size_t ahead) {
  const SearchSpace space = kernel_space();
  std::vector<std::size_t> needed;
  for (std::uint64_t seed = 0; seed < 11; ++seed) {
    needed.push_back(asks_until(name, space, 1.05, ahead, seed));
  }
  std::sort(needed.begin(), needed.end());
  return needed[9];  // enough for nine of ten seeds
}

TEST(GuidedStrategy, FindsTheBestFarSoonerThanRandom) {
  const std::size_t random = typical_asks("random", 1);
  EXPECT_LE(typical_asks("guided", 1), random / 8);
  EXPECT_LE(typical_asks("guided", 16), random / 6);
}

TEST(GuidedStrategy, ExpectsLessTheMoreItKnows) {
  const SearchSpace space = kernel_space();
  const auto strategy = make_strategy("guided", space, 1);
  EXPECT_EQ(strategy->expected_gain().value().gain, 1.0);
  double after_12 = 0;
  for (int told = 0; told < 300; ++told) {
    if (told == 12) after_12 = strategy->expected_gain().value().gain;
    const std::size_t index = strategy->ask().value();
    strategy->tell(index, cost_of(space, index));
  }
  EXPECT_GT(after_12, 0.005);
  EXPECT_LT(strategy->expected_gain().value().gain, after_12 / 10);
  EXPECT_FALSE(make_strategy("random", space, 1)->expected_gain());
}

TEST(GuidedStrategy, DoubtsAModelThatWasWrong) {
  const SearchSpace space = kernel_space();
  const auto strategy = make_strategy("guided", space, 1);
  const auto tell = [&](std::size_t times, double factor) {
    for (std::size_t i = 0; i < times; ++i) {
      const std::size_t index = strategy->ask().value();
      std::optional<double> cost = cost_of(space, index);
      if (cost && i % 2 == 0) *cost *= factor;
      strategy->tell(index, cost);
    }
    return strategy->expected_gain().value();
  };
  const ExpectedGain foreseen = tell(300, 1);
  EXPECT_GE(foreseen.doubted, foreseen.gain);
  EXPECT_LT(foreseen.doubted, 0.005);
  const ExpectedGain surprised = tell(20, 2);
  EXPECT_GT(surprised.doubted, 2 * surprised.gain);
}

/// Strategies that learn find the best in fewer asks than chance, even with many outstanding.
class LearningStrategy : public testing::TestWithParam<std::string_view> {};

TEST_P(LearningStrategy, NeedsFewerAsksThanRandom) {
  for (const std::size_t ahead : {1U, 16U}) {
    EXPECT_LE(typical_asks(GetParam(), ahead), typical_asks("random", ahead) * 2 / 3) << ahead;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LearningStrategy,
                         testing::Values("local-search", "annealing", "genetic",
                                         "differential-evolution", "particle-swarm"),
                         [](const auto& test) { return without_hyphens(test.param); });

/// Half of this space, in one corner, fails.
TEST(GuidedStrategy, LearnsWhatFails) {
  const SearchSpace space = grid({tiles, tiles, tiles, {0, 1, 2, 3}});
  const auto fails = [&](std::size_t index) {
    const auto at = space.coordinates(index);
    return at[0] + at[1] + at[2] > 7;
  };
  std::size_t failing = 0;
  for (std::size_t i = 0; i < space.size(); ++i) failing += fails(i) ? 1 : 0;
  std::size_t failed = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto strategy = make_strategy("guided", space, seed);
    for (int i = 0; i < 100; ++i) {
      const std::size_t index = strategy->ask().value();
      const auto at = space.coordinates(index);
      // Costs fall towards the failing corner, so the strategy must learn its edge.
      const double cost = 20.0 - at[0] - at[1] - at[2];
      if (fails(index)) ++failed;
      strategy->tell(index, fails(index) ? std::nullopt : std::optional(cost));
    }
  }
  const double by_chance = 500.0 * static_cast<double>(failing) / static_cast<double>(space.size());
  EXPECT_LE(static_cast<double>(failed), 0.75 * by_chance);
}

/// If nothing can be learnt, the model must not mislead.
TEST(GuidedStrategy, IsNoWorseThanRandomOnNoise) {
  const SearchSpace space = kernel_space();
  const auto total_asks = [&](std::string_view name) {
    std::size_t total = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Random noise(seed + 1000);
      std::vector<double> costs(space.size());
      for (double& cost : costs) cost = 1 + noise.unit();
      const auto strategy = make_strategy(name, space, seed);
      for (double cost = 2; cost > 1.02; ++total) {
        const std::size_t index = strategy->ask().value();
        cost = costs[index];
        strategy->tell(index, cost);
      }
    }
    return total;
  };
  EXPECT_LE(total_asks("guided"), total_asks("random") * 5 / 4);
}

/// Fast are blocks of 256 threads, whatever their shape: a ridge across three parameters.
TEST(GuidedStrategy, LearnsFromAmountsThatSeveralParametersMake) {
  const std::vector<std::int64_t> powers = {1, 2, 4, 8, 16, 32, 64, 128};
  const SearchSpace space = grid({powers, powers, powers});
  const ConfigAmounts threads = [](const Config& config) {
    double log_threads = 0;
    for (const auto& [name, value] : config.entries()) {
      log_threads += std::log2(static_cast<double>(value));
    }
    return std::vector<double>{log_threads};
  };
  const auto total_asks = [&](const ConfigAmounts& amounts) {
    std::size_t total = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto strategy = make_strategy("guided", space, seed, amounts);
      for (double cost = 2; cost > 1.001; ++total) {
        const std::size_t index = strategy->ask().value();
        const auto at = space.coordinates(index);
        cost = 1 + 0.2 * std::abs(at[0] + at[1] + at[2] - 8) + 0.05 * std::abs(at[0] - 5);
        strategy->tell(index, cost);
      }
    }
    return total;
  };
  EXPECT_LE(total_asks(threads), total_asks({}) * 9 / 10);
}

/// Every fourth block size is fast, wherever it stands in the list.
TEST(GuidedStrategy, LearnsThatMultiplesOfAPowerOfTwoAreFast) {
  std::vector<std::int64_t> blocks;
  for (std::int64_t block = 16; block <= 512; block += 16) blocks.push_back(block);
  const SearchSpace space = grid({blocks, tiles, tiles});
  std::size_t fast = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto strategy = make_strategy("guided", space, seed);
    for (int i = 0; i < 40; ++i) {
      const std::size_t index = strategy->ask().value();
      const auto at = space.coordinates(index);
      const bool whole_warps = blocks[at[0]] % 64 == 0;
      if (i >= 20 && whole_warps) ++fast;
      strategy->tell(index, (whole_warps ? 1 : 2) + 0.1 * std::abs(at[1] - 3) + 0.1 * at[2]);
    }
  }
  EXPECT_GE(fast, 130U);  // of 200; 50 by chance, 104 by the position alone
}

/// Bytes grow only with the first parameter, and device memory bounds the kernel. Of two parameters
/// that slow it down equally, the one that moves bytes must be lowered first.
TEST(ProfileGuidedStrategy, PrefersWhatRelievesTheBottleneck) {
  const SearchSpace space = grid({tiles, tiles, tiles, tiles});
  const auto mean_bytes = [&](bool with_metrics) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto strategy = make_strategy("profile-guided", space, seed);
      Random noise(seed);
      for (int i = 0; i < 60; ++i) {
        const std::size_t index = strategy->ask().value();
        const auto bytes = [&](std::size_t of) {
          return 1e6 * std::exp2(space.coordinates(of)[0]);
        };
        if (i >= 20) sum += space.coordinates(index)[0];
        // Times say little, so the metrics must decide.
        strategy->tell(index, 1 + 0.02 * space.coordinates(index)[0] + 0.3 * noise.unit());
        const auto wanted = strategy->wants_metrics();
        if (!wanted) continue;
        std::vector<Metric> metrics;
        if (with_metrics) {
          metrics = {{"dram_throughput", 95.0, "percent", ""},
                     {"dram_bytes", bytes(*wanted), "byte", ""},
                     {"inst_executed", 1e6, "inst", ""},
                     {"bank_conflicts", 0.0, "", ""},
                     {"achieved_occupancy", 60.0, "percent", ""}};
        }
        strategy->tell_metrics(*wanted, metrics);
      }
    }
    return sum / 400;
  };
  EXPECT_LT(mean_bytes(true), 0.8 * mean_bytes(false));
}

TEST(ProfileGuidedStrategy, IsTheGuidedStrategyWithoutMetrics) {
  const SearchSpace space = kernel_space();
  const auto profile_guided = make_strategy("profile-guided", space, 4);
  const auto guided = make_strategy("guided", space, 4);
  std::set<std::size_t> wanted;
  for (int i = 0; i < 60; ++i) {
    const std::size_t index = guided->ask().value();
    ASSERT_EQ(profile_guided->ask(), index) << i;
    guided->tell(index, cost_of(space, index));
    profile_guided->tell(index, cost_of(space, index));
    if (const auto each = profile_guided->wants_metrics()) {
      EXPECT_TRUE(wanted.insert(*each).second);
      EXPECT_TRUE(cost_of(space, *each));
      profile_guided->tell_metrics(*each, {});
    }
  }
  EXPECT_GT(wanted.size(), 5U);
}

TEST(GuidedStrategy, ManyOutstandingAsksAreSpreadOut) {
  const SearchSpace space = kernel_space();
  const auto strategy = make_strategy("guided", space, 2);
  std::vector<std::set<int>> seen(space.dimensions().size());
  for (int i = 0; i < 64; ++i) {
    const auto at = space.coordinates(strategy->ask().value());
    for (std::size_t d = 0; d < seen.size(); ++d) seen[d].insert(at[d]);
  }
  for (std::size_t d = 0; d < seen.size(); ++d) {
    EXPECT_EQ(seen[d].size(), space.dimensions()[d].values.size()) << d;
  }
}

/// A fit takes tens of milliseconds: one for each result would keep hundreds of workers waiting.
TEST(GuidedStrategy, FitsFewModelsIfHundredsAreOutstanding) {
  constexpr std::size_t outstanding = 320;
  const SearchSpace space = kernel_space();
  ASSERT_GT(space.size(), 2 * outstanding);
  const auto strategy = make_strategy("guided", space, 2);
  std::deque<std::size_t> asked;
  while (asked.size() < outstanding) asked.push_back(strategy->ask().value());
  std::set<double> gains;  // a fit changes the expected gain
  for (int i = 0; i < 100; ++i) {
    strategy->tell(asked.front(), cost_of(space, asked.front()));
    asked.pop_front();
    asked.push_back(strategy->ask().value());
    gains.insert(strategy->expected_gain().value().gain);
  }
  EXPECT_GE(gains.size(), 5U);
  EXPECT_LE(gains.size(), 12U);
}

}  // namespace
}  // namespace gtune
