#include "export/contenders.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "answer/toy_spec.hpp"

namespace gtune {
namespace {

/// A = 1 is the fastest for small n, A = 2 for large; A = 3 is the fastest everywhere.
class ContendersOfThree : public ::testing::Test {
 protected:
  explicit ContendersOfThree(const std::string& constraint = "A <= 2")
      : spec(test::toy_spec("n", constraint)) {
    for (int octave = 0; octave < 20; ++octave) {
      const std::int64_t n = std::int64_t{1} << octave;
      add(n, 1, 0.001 + 5e-6 * static_cast<double>(n));
      add(n, 2, 0.02 + 4e-7 * static_cast<double>(n));
      add(n, 3, 0.0005 + 1e-8 * static_cast<double>(n));
    }
  }

  void add(std::int64_t n, std::int64_t a, double ms) {
    ConfigSpeed speed;
    speed.problem = {{"n", n}, {"kind", 0}};
    speed.config = {{"A", a}};
    speed.median_ms = ms;
    speed.blocks_per_sm = 1;
    speeds.push_back(speed);
  }

  [[nodiscard]] Contenders find() const {
    const SizeRules rules(spec);
    return find_contenders(rules, group_speeds(rules, speeds).front().fit(configs), configs);
  }

  const KernelSpec spec;
  const std::vector<Config> configs = {{{"A", 1}}, {{"A", 2}}, {{"A", 3}}};
  std::vector<ConfigSpeed> speeds;
};

class ContendersOfThreeValid : public ContendersOfThree {
 protected:
  ContendersOfThreeValid() : ContendersOfThree("") {}
};

TEST_F(ContendersOfThree, AreThoseNearTheFastestValidOfACell) {
  const Contenders found = find();
  ASSERT_EQ(found.size(), 5U);
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(found[0], Places{0});
  EXPECT_EQ(found[2], (Places{0, 1}));  // n from 725 to 19000: both are the fastest somewhere
  EXPECT_EQ(found[3], Places{1});
  EXPECT_TRUE(found[4].empty()) << "no cell begins at the last node";
}

TEST_F(ContendersOfThreeValid, AreNoneThatOneBeatsEverywhere) {
  const Contenders found = find();
  for (std::size_t cell = 0; cell < 4; ++cell) {
    EXPECT_EQ(found[cell], std::vector<std::size_t>{2}) << cell;
  }
}

TEST_F(ContendersOfThree, LeaveOutWhatTheModelDoesNotKnow) {
  std::erase_if(speeds, [](const ConfigSpeed& speed) { return speed.config.find("A") == 1; });
  for (const auto& cell : find()) {
    EXPECT_LE(cell.size(), 1U);
    EXPECT_TRUE(cell.empty() || cell[0] == 1);
  }
}

}  // namespace
}  // namespace gtune
