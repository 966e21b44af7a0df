#include "answer/size_transfer.hpp"

#include <gtest/gtest.h>

#include "answer/measured_times.hpp"
#include "answer/problems_around.hpp"
#include "answer/size_rules.hpp"
#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

KernelSpec spec_of_sgemm() {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const std::vector<std::filesystem::path> kernels = {root / "kernels"};
  return read_spec(root / "tuner_configs" / "sgemm.toml", kernels);
}

Problem product(std::int64_t m, std::int64_t n, std::int64_t k) {
  return expand_problems(spec_of_sgemm(), {{"M", {m}}, {"N", {n}}, {"K", {k}}}).front();
}

/// Tiles of 64 x 256, whole slices shared by all blocks.
const Config wide = {{"BM", 64},       {"BN", 256},   {"BK", 16},        {"TM", 16},  {"TN", 8},
                     {"LANE_ROWS", 4}, {"STAGES", 3}, {"MIN_BLOCKS", 2}, {"SPLIT", 0}};

Config with_rows(std::int64_t rows) {
  Config config = wide;
  config.set("BM", rows);
  config.set("TM", 8);
  return config;
}

TEST(ByDistance, EquallyNearProblemsAreOrderedByTheirSizes) {
  const std::vector<Problem> problems = {{{"n", 400}}, {{"n", 50}}, {{"n", 100}}, {{"n", 200}}};
  std::vector<const Problem*> all;
  for (const Problem& problem : problems) all.push_back(&problem);
  EXPECT_EQ(by_distance(all, {{"n", 100}}), (std::vector<std::size_t>{2, 1, 3, 0}));
}

TEST(NearConfigs, AreWhatWonNearestEachOnce) {
  std::vector<Problem> problems;
  for (std::int64_t i = 0; i < 50; ++i) problems.push_back({{"n", std::int64_t{100} + i}});
  std::vector<const Problem*> all;
  for (const Problem& problem : problems) all.push_back(&problem);
  std::vector<Config> won;
  for (std::int64_t i = 0; i < 50; ++i) won.push_back({{"A", i / 2}});
  std::size_t asked = 0;
  const auto won_at = [&](std::size_t place) {
    ++asked;
    return place == 1 ? nullptr : &won[place];
  };
  const std::vector<Config> near = near_configs(all, {{"n", 100}}, won_at);
  EXPECT_EQ(asked, near_problems + 1);  // at one of them nothing won
  ASSERT_EQ(near.size(), 17U);
  for (std::size_t i = 0; i < near.size(); ++i) {
    EXPECT_EQ(near[i].find("A"), static_cast<std::int64_t>(i));
  }
}

TEST(ExpectedFastest, WeighsTimesByTheGrowthOfWork) {
  const std::vector<ConfigTime> measured = {
      {{{"A", 3}}, 1.0}, {{{"A", 2}}, 1.2}, {{{"A", 1}}, 0.1}, {{{"A", 4}}, 1.2}};
  const auto growth = [](const Config& config) -> std::optional<double> {
    const std::int64_t a = *config.find("A");
    if (a == 1) return std::nullopt;  // may not be used there
    return a == 3 ? 1.5 : 1.0;
  };
  EXPECT_EQ(expected_fastest(measured, growth), 1U);  // and not 3, of larger values
  EXPECT_EQ(expected_fastest(measured, [](const Config&) { return 1.0; }), 2U);
  EXPECT_FALSE(expected_fastest(measured, [](const Config&) { return std::nullopt; }));
  EXPECT_FALSE(expected_fastest({}, growth));
}

TEST(PaddedGrowth, CountsWholeTiles) {
  const KernelSpec spec = spec_of_sgemm();
  const DeviceFacts device = typical_device("sm_90");
  const auto growth = [&](const Config& config, const Problem& to) {
    return SizeRules(spec).growth({product(128, 4096, 4096), config, device}, to);
  };
  // 96 rows take as many tiles of 64 rows as 128 do, and fewer of 32.
  EXPECT_EQ(growth(wide, product(96, 4096, 4096)), 1.0);
  EXPECT_EQ(growth(with_rows(32), product(96, 4096, 4096)), 0.75);
  EXPECT_EQ(growth(wide, product(128, 4096, 8192)), 2.0);
  EXPECT_FALSE(growth(wide, product(20, 4096, 4096)));  // no tile of 64 rows for 20
}

TEST(PaddedGrowth, LetsWholeBlocksTakeTurns) {
  const KernelSpec spec = spec_of_sgemm();
  DeviceFacts device = typical_device("sm_90");
  device.sm_count = 100;
  Config plain = wide;
  plain.set("SPLIT", 1);
  // 96 and 104 blocks on 100 SMs; as many SMs work twice as long.
  EXPECT_EQ(SizeRules(spec).growth({product(64 * 12, 256 * 8, 1024), plain, device},
                                   product(64 * 13, 256 * 8, 1024)),
            2.0);
}

TEST(ProblemsAround, KeepWhatFollowsAndHowEvenSizesAre) {
  const KernelSpec spec = spec_of_sgemm();
  const auto around = problems_around(spec, product(1000, 1000, 96));
  ASSERT_GE(around.size(), 2U);
  EXPECT_NE(around[0], around[1]);
  EXPECT_EQ(problems_around(spec, product(1000, 1000, 96)), around);
  for (const Problem& problem : around) {
    const std::int64_t m = *problem.find("M"), k = *problem.find("K");
    EXPECT_EQ(problem.find("N"), m) << problem.text();
    EXPECT_EQ(problem.find("LDA"), k) << problem.text();
    EXPECT_EQ(m % 8, 0);
    EXPECT_EQ(k % 8, 0);
    EXPECT_GT(m, 1000 / 1.5);
    EXPECT_LT(m, 1000 * 1.5);
  }
  for (const Problem& problem : problems_around(spec, product(1, 4097, 1))) {
    EXPECT_GE(*problem.find("M"), 1) << problem.text();
    EXPECT_EQ(*problem.find("TA"), 0);
  }
}

// What follows from a scaled size may be no size at all.
TEST(ProblemsAround, LeaveOutWhatCannotBe) {
  const test::TemporaryFolder folder;
  folder.write("k.cu", "");
  const auto file =
      folder.write("k.toml",
                   "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n[problem]\nn = { default = 64 }\n"
                   "seg = { default = \"n / 16\" }\n[params]\nBLOCK = [32]\n[launch]\ngrid = [1]\n"
                   "block = [\"BLOCK\"]\n[[args]]\nname = \"out\"\ntype = \"f32\"\ncount = \"n\"\n"
                   "direction = \"out\"\n[work]\npadded = \"n\"\n[check]\n"
                   "reference = { entry = \"k\", grid = [1], block = [32] }\nrtol = 0.0\n");
  const KernelSpec spec = read_spec(file, {});
  for (const Problem& problem : problems_around(spec, {{"n", 16}, {"seg", 1}})) {
    EXPECT_GE(*problem.find("n"), 16);
    EXPECT_EQ(*problem.find("seg"), *problem.find("n") / 16);
  }
  EXPECT_EQ(problems_around(spec, {{"n", 8}, {"seg", 4}}).size(), 4U);  // seg is given there
  EXPECT_EQ(problems_around(spec, {{"n", 4096}, {"seg", 256}}).size(), 4U);
}

TEST(MeasuredTimes, OfGpusOfOneNameAreTheirOwn) {
  std::vector<ConfigSpeed> speeds(2);
  for (std::size_t i = 0; i < 2; ++i) {
    speeds[i].device.name = "One";
    speeds[i].device.uuid = "GPU-" + std::to_string(i);
    speeds[i].problem = {{"n", 1}};
    speeds[i].config = {{"A", 1}};
    speeds[i].median_ms = 1.0 + static_cast<double>(i);
  }
  const MeasuredTimes times(speeds);
  for (const ConfigSpeed& speed : speeds) {
    const Winner where{{}, speed.device, speed.problem, {}, 1, {}, true};
    EXPECT_EQ(times.find(where, {{"A", 1}}), speed.median_ms);
    EXPECT_FALSE(times.find(where, {{"A", 2}}));
  }
}

}  // namespace
}  // namespace gtune
