#include "answer/time_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "answer/launch_work.hpp"
#include "answer/measured_times.hpp"
#include "answer/model_winners.hpp"
#include "answer/problems_around.hpp"
#include "answer/sgemm_problems.hpp"
#include "answer/toy_spec.hpp"
#include "spec/device_table.hpp"
#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

using test::product;
using test::spec_of_sgemm;

/// Tiles of 64 x 256, whole slices shared by all blocks.
const Config wide = {{"BM", 64},   {"BN", 256},      {"BK", 16},     {"TM", 16},
                     {"TN", 8},    {"LANE_ROWS", 4}, {"STAGES", 3},  {"MIN_BLOCKS", 2},
                     {"SPLIT", 0}, {"K_LANES", 1},   {"K_WARPS", 1}, {"UNROLL", 1},
                     {"KEEP_A", 0}};

Config with_split(std::int64_t split) {
  Config config = wide;
  config.set("SPLIT", split);
  return config;
}

TEST(SizeRules, InstancesDifferInWhatIsCompiled) {
  const KernelSpec spec = spec_of_sgemm();
  const SizeRules rules(spec, {"SPLIT"});
  EXPECT_EQ(rules.instance_of(with_split(8)), rules.instance_of(with_split(1)));
  const std::vector<Config> launches = rules.launches_of(with_split(8));
  ASSERT_EQ(launches.size(), 6U);
  EXPECT_EQ(launches[0], with_split(0));
  EXPECT_EQ(launches[4], with_split(8));
  EXPECT_EQ(rules.launches_of(std::vector{with_split(8), with_split(2)}), launches);
  // Without launch-only parameters each configuration is an instance of its own.
  EXPECT_EQ(SizeRules(spec).launches_of(with_split(8)), std::vector{with_split(8)});
}

/// Of a direct kernel, everything that says how threads share a tile is one of the launch.
TEST(SizeRules, AnInstanceWithTooManyLaunchesHasItsOwn) {
  const KernelSpec spec = spec_of_sgemm();
  const SizeRules rules(spec, {"BM", "BN", "LANE_ROWS", "K_LANES", "K_WARPS", "UNROLL", "KEEP_A",
                               "MIN_BLOCKS", "SPLIT"});
  const Config direct = {{"BM", 4},    {"BN", 4},        {"BK", 16},     {"TM", 1},
                         {"TN", 1},    {"LANE_ROWS", 4}, {"STAGES", 0},  {"MIN_BLOCKS", 1},
                         {"SPLIT", 1}, {"K_LANES", 4},   {"K_WARPS", 4}, {"UNROLL", 8},
                         {"KEEP_A", 0}};
  EXPECT_EQ(rules.launches_of(direct), std::vector{direct});
  EXPECT_EQ(rules.launches_of(wide).size(), 6U);  // only SPLIT is one of the launch
}

/// WAY = 1 compiles TILE; TILE of WAY = 0 is one of the launch, and ONLY exists with WAY = 2.
TEST(SizeRules, WhatIsCompiledDependsOnTheConfiguration) {
  const KernelSpec spec = test::spec_with(
      "k<WAY,tile>",
      "WAY = [0, 1, 2]\nTILE = [1, 2, 4]\nONLY = { values = [5, 6], when = \"WAY == 2\" }\n"
      "[let]\ntile = \"WAY == 1 ? TILE : 0\"\n");
  const SizeRules rules(spec, {"TILE", "ONLY"});
  const auto config = [](std::int64_t way, std::int64_t tile, std::int64_t only) {
    return Config{{"WAY", way}, {"TILE", tile}, {"ONLY", only}};
  };
  EXPECT_EQ(rules.instance_of(config(0, 4, 5)), config(0, 1, 5));
  EXPECT_EQ(rules.instance_of(config(1, 4, 5)), config(1, 4, 5));
  using Configs = std::vector<Config>;
  EXPECT_EQ(rules.launches_of(config(0, 4, 5)),
            (Configs{config(0, 1, 5), config(0, 2, 5), config(0, 4, 5)}));
  EXPECT_EQ(rules.launches_of(config(1, 4, 5)), Configs{config(1, 4, 5)});
  EXPECT_EQ(rules.launches_of(config(2, 4, 6)).size(), 6U);
}

TEST(LaunchWork, IsWhatTheSpecSays) {
  const KernelSpec spec = spec_of_sgemm();
  const DeviceFacts device = typical_device("sm_90");
  const Config plain = with_split(1);
  const auto work = SizeRules(spec).work({product(spec, 100, 1024, 64), plain, device});
  ASSERT_TRUE(work);
  EXPECT_EQ(work->blocks, 2 * 4);
  const std::int64_t slices = std::int64_t{64} * 256 * 16 * device.sm_count * (4 + 1);
  EXPECT_EQ(work->padded, 2 * slices);
  EXPECT_EQ(work->bytes, 4 * (100 * 64 + 64 * 1024 + 100 * 1024));  // not the workspace
  EXPECT_EQ(work->traffic, 4 * (2 * 4 * 64 * (64 + 256) + 100 * 1024));
  Problem large = product(spec, 100, 1024, 64);
  large.set("LDC", std::int64_t{1} << 62);
  EXPECT_FALSE(SizeRules(spec).work({large, plain, device}));
}

TEST(LaunchWork, WithoutPaddedWorkIsBytes) {
  const KernelSpec spec = test::toy_spec("", "", "ceil_div(n, A)");
  const DeviceFacts device = typical_device("sm_90");
  const Problem problem = {{"n", 64}, {"kind", 0}};
  const Config config = {{"A", 10}};
  const auto work = SizeRules(spec).work({problem, config, device});
  ASSERT_TRUE(work);
  EXPECT_EQ(work->bytes, 256);
  EXPECT_EQ(work->padded, 256);
  EXPECT_EQ(work->traffic, 0);
  EXPECT_EQ(work->blocks, 7);
}

/// On device "One", `room` blocks of A elements run at a time. A launch takes 2 us, plus 1 us and A
/// ns for each wave.
class TimeModels : public ::testing::Test {
 protected:
  static constexpr int room = 20;

  TimeModels() {
    device.name = "One";
    device.sm_count = room;
    for (const std::int64_t n : {50, 200, 700, 1500, 4000, 9000}) {
      for (const std::int64_t a : {4, 16, 40}) speeds.push_back(speed(n, a));
    }
  }

  [[nodiscard]] static double ms(std::int64_t n, std::int64_t a) {
    const std::int64_t blocks = (n + a - 1) / a;
    return 2e-3 + static_cast<double>((blocks + room - 1) / room) * 1e-3 * (1 + 1e-3 * double(a));
  }

  [[nodiscard]] ConfigSpeed speed(std::int64_t n, std::int64_t a) const {
    ConfigSpeed speed;
    speed.device = device;
    speed.problem = {{"n", n}, {"kind", 0}};
    speed.config = {{"A", a}};
    speed.median_ms = ms(n, a);
    speed.blocks_per_sm = 1;
    return speed;
  }

  [[nodiscard]] static Problem sized(std::int64_t n) { return {{"n", n}, {"kind", 0}}; }

  KernelSpec spec = test::toy_spec("ceil_div(n, A) * A", "", "ceil_div(n, A)");
  SizeRules rules{spec};
  DeviceFacts device = typical_device("sm_90");
  std::vector<ConfigSpeed> speeds;
};

TEST_F(TimeModels, ExpectWhatFollowsFromTheWork) {
  const std::vector<Config> configs = {{{"A", 4}}, {{"A", 16}}, {{"A", 40}}, {{"A", 17}}};
  const std::vector<MeasuredGroup> groups = group_speeds(rules, speeds);
  ASSERT_EQ(groups.size(), 1U);
  const TimeModel model = groups[0].fit(configs);
  EXPECT_FALSE(model.configs[3]);  // A = 17 was not measured
  for (const std::int64_t n : {90, 333, 1000, 3000, 20000}) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto expected = model_time(rules, model, i, {sized(n), configs[i], device});
      ASSERT_TRUE(expected);
      EXPECT_NEAR(expected->ms / ms(n, *configs[i].find("A")), 1, 0.04)
          << n << ' ' << configs[i].text();
    }
  }
  const std::vector<double> errors = groups[0].errors(configs);
  ASSERT_EQ(errors.size(), speeds.size());
  EXPECT_LT(errors[errors.size() / 2], 0.03);
  const auto fastest = expected_fastest(rules, model, configs, sized(20000), device);
  ASSERT_TRUE(fastest);
  EXPECT_EQ(fastest->place, 2U);
  EXPECT_NEAR(fastest->time.ms, ms(20000, 40), 0.04 * ms(20000, 40));
}

TEST_F(TimeModels, KnowALaunchByItsInstance) {
  const std::vector<Config> configs = {{{"A", 16}}, {{"A", 17}}};
  const SizeRules launch_only(spec, {"A"});
  const TimeModel model = group_speeds(launch_only, speeds)[0].fit(configs);
  ASSERT_TRUE(model.configs[1]);
  const auto known = model_time(launch_only, model, 0, {sized(1000), configs[0], device});
  const auto guessed = model_time(launch_only, model, 1, {sized(1000), configs[1], device});
  EXPECT_NEAR(guessed->ms / ms(1000, 17), 1, 0.1);
  EXPECT_NEAR(guessed->compared_ms / guessed->ms, 1.3, 0.001);
  EXPECT_NEAR(known->compared_ms / known->ms, 1 + 0.3 / 7, 0.001);  // measured at six sizes
}

/// What the work does not explain, here of large problems, is learnt from those nearby.
TEST_F(TimeModels, AreCorrectedByWhatWasMeasuredOnSimilarSizes) {
  speeds.clear();
  const auto slow = [](std::int64_t n) { return n > 3000 ? 1.5 : 1.0; };
  for (std::int64_t n = 10; n < 20000; n += n / 3) {
    for (const std::int64_t a : {4, 16}) {
      speeds.push_back(speed(n, a));
      if (a == 16) speeds.back().median_ms *= slow(n);
    }
  }
  const std::vector<Config> configs = {{{"A", 4}}, {{"A", 16}}};
  const MeasuredGroup group = group_speeds(rules, speeds)[0];
  const TimeModel model = group.fit(configs, [](const Problem& problem) {
    return problem.find("n").value_or(0) > 9000 && problem.find("n").value_or(0) < 12000;
  });
  EXPECT_EQ(model.grid.nodes(), 5U);
  const auto off = [&](const TimeModel& by) {
    const auto expected = model_time(rules, by, 1, {sized(10000), configs[1], device});
    return std::abs(std::log(expected->ms / (slow(10000) * ms(10000, 16))));
  };
  TimeModel uncorrected = model;
  uncorrected.configs[1]->factors.expected.assign(5, 0);
  EXPECT_LT(off(model), 0.1);
  EXPECT_LT(off(model), off(uncorrected));
}

TEST_F(TimeModels, OfEqualsChooseTheOneWithSmallerValues) {
  const std::vector<Config> configs = {{{"A", 40}}, {{"A", 4}}, {{"A", 16}}};
  TimeModel model{device, sized(1), {}, {}, {}};
  model.configs.assign(3, ConfigModel{{1, 0, 0, 0, 0, 0}, 1, {}});
  EXPECT_EQ(expected_fastest(rules, model, configs, sized(64), device)->place, 1U);
  const auto not_that = [](std::size_t i) { return i != 1; };
  EXPECT_EQ(expected_fastest(rules, model, configs, sized(64), device, not_that)->place, 2U);
  model.configs.assign(3, std::nullopt);
  EXPECT_FALSE(expected_fastest(rules, model, configs, sized(64), device));
}

TEST_F(TimeModels, AreOfOneDeviceAndKind) {
  speeds = {speed(100, 4), speed(200, 4), speed(300, 4), speed(400, 4), speed(500, 4)};
  speeds[1].problem.set("kind", 1);
  speeds[2].device.replayed = true;
  speeds[3].mode.order = LaunchOrder::warm;
  speeds[4].device.uuid = "GPU-of-the-same-name";
  const std::vector<MeasuredGroup> groups = group_speeds(rules, speeds);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].size(), 2U);  // two GPUs of one name
  EXPECT_EQ(groups[1].kind().find("kind"), 1);
  EXPECT_EQ(groups[2].mode().order, LaunchOrder::warm);
  EXPECT_TRUE(groups[3].device().replayed);
}

TEST(ProblemsAround, KeepWhatFollowsAndHowEvenSizesAre) {
  const KernelSpec spec = spec_of_sgemm();
  const auto around = problems_around(spec, product(spec, 1000, 1000, 96));
  ASSERT_GE(around.size(), 2U);
  EXPECT_NE(around[0], around[1]);
  EXPECT_EQ(problems_around(spec, product(spec, 1000, 1000, 96)), around);
  for (const Problem& problem : around) {
    const std::int64_t m = *problem.find("M"), k = *problem.find("K");
    EXPECT_EQ(problem.find("N"), m) << problem.text();
    EXPECT_EQ(problem.find("LDA"), k) << problem.text();
    EXPECT_EQ(m % 8, 0);
    EXPECT_EQ(k % 8, 0);
    EXPECT_GT(m, 1000 / 1.5);
    EXPECT_LT(m, 1000 * 1.5);
  }
  for (const Problem& problem : problems_around(spec, product(spec, 1, 4097, 1))) {
    EXPECT_GE(*problem.find("M"), 1) << problem.text();
    EXPECT_EQ(*problem.find("TA"), 0);
  }
}

// A size that follows from a scaled size may be invalid.
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
  EXPECT_EQ(problems_around(spec, {{"n", 8}, {"seg", 4}}).size(), 4U);  // here seg is given
  EXPECT_EQ(problems_around(spec, {{"n", 4096}, {"seg", 256}}).size(), 4U);
}

TEST(MeasuredTimes, ComeFromTheGpuItselfOrAnotherOfItsModel) {
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
    const Winner where{{}, speed.device, speed.problem, {}, 1, {}, {}};
    EXPECT_EQ(times.at(where).find({{"A", 1}}), speed.median_ms);
    EXPECT_FALSE(times.at(where).find({{"A", 2}}));
  }
  Winner elsewhere{{}, speeds[0].device, speeds[0].problem, {}, 1, {}, {}};
  elsewhere.device.uuid = "GPU-2";
  EXPECT_EQ(times.at(elsewhere).find({{"A", 1}}), 2.0);
  elsewhere.device.name = "Two";
  EXPECT_FALSE(times.at(elsewhere).find({{"A", 1}}));
}

TEST(WinnersOfModels, AreOneForAProblem) {
  const auto winner = [](const char* name, const char* uuid, bool replayed, double ms) {
    Winner made;
    made.device.name = name;
    made.device.uuid = uuid;
    made.device.replayed = replayed;
    made.problem = {{"n", 1}};
    made.median_ms = ms;
    return made;
  };
  Winner other_problem = winner("One", "a", false, 9);
  other_problem.problem = {{"n", 2}};
  const std::vector<Winner> best = winners_of_models(
      {winner("One", "r", true, 1), winner("One", "a", false, 5), winner("One", "b", false, 4),
       winner("Two", "c", false, 7), other_problem});
  ASSERT_EQ(best.size(), 3U);
  EXPECT_EQ(best[0].device.uuid, "b");  // not the recording
  EXPECT_EQ(best[1].device.uuid, "c");
  EXPECT_EQ(best[2].median_ms, 9);
}

}  // namespace
}  // namespace gtune
